/**
 * The only room with threads: loops that take a step, rest and go on. Not part of the public API.
 */
@NullMarked
package dev.carillon.engine;

import org.jspecify.annotations.NullMarked;
