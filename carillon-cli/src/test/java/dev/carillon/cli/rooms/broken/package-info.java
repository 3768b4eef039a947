/** A house built against the rules: one class for each, so that each is seen failing. */
@NullMarked
package dev.carillon.cli.rooms.broken;

import org.jspecify.annotations.NullMarked;
