/**
 * Measures how fast and how punctual a scheduler is on a given PostgreSQL, through its public door
 * and plain JDBC: for {@code carillon bench}, and for the benchmarks beside other schedulers.
 */
@NullMarked
package dev.carillon.bench;

import org.jspecify.annotations.NullMarked;
