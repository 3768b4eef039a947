/** The suites: which trials they need, and the tables and verdicts they make of what was found. */
@NullMarked
package dev.carillon.benchmarks.table;

import org.jspecify.annotations.NullMarked;
