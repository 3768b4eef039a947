/** Breaks rules about the room of this name. */
@NullMarked
package dev.carillon.cli.rooms.broken.model;

import org.jspecify.annotations.NullMarked;
