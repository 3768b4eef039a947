/** Targets against real endpoints. */
@NullMarked
package dev.carillon.targets;

import org.jspecify.annotations.NullMarked;
