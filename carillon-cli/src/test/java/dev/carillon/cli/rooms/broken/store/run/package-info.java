/** A part of the store of a house built against the rules. */
@NullMarked
package dev.carillon.cli.rooms.broken.store.run;

import org.jspecify.annotations.NullMarked;
