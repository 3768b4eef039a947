/** Faults of processes, connections and databases, and the judge of what came of them. */
@NullMarked
package dev.carillon.resilience.chaos;

import org.jspecify.annotations.NullMarked;
