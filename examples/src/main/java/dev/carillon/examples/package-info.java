/** Programs that use Carillon; the documentation quotes them, and tests run them. */
@NullMarked
package dev.carillon.examples;

import org.jspecify.annotations.NullMarked;
