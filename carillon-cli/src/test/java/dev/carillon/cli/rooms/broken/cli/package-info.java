/** The top room of the broken house. */
@NullMarked
package dev.carillon.cli.rooms.broken.cli;

import org.jspecify.annotations.NullMarked;
