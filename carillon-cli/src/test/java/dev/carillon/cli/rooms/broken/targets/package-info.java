/** Breaks rules about the room of this name. */
@NullMarked
package dev.carillon.cli.rooms.broken.targets;

import org.jspecify.annotations.NullMarked;
