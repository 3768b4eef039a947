/** Runs the examples, and holds the documentation to them. */
@NullMarked
package dev.carillon.examples;

import org.jspecify.annotations.NullMarked;
