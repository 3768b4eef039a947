/**
 * The suites: which trials they need, and the tables and judged promises they make of the outcomes.
 */
@NullMarked
package dev.carillon.benchmarks.table;

import org.jspecify.annotations.NullMarked;
