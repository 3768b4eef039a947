/** An hour under load and mixed faults, and whether anything grew. */
@NullMarked
package dev.carillon.resilience.soak;

import org.jspecify.annotations.NullMarked;
