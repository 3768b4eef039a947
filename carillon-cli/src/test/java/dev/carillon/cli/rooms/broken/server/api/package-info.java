/** Breaks rules about the room of this name. */
@NullMarked
package dev.carillon.cli.rooms.broken.server.api;

import org.jspecify.annotations.NullMarked;
