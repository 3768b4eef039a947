/**
 * Measures schedulers under many runs and many schedules, on one PostgreSQL, each trial in a
 * process of its own.
 */
@NullMarked
package dev.carillon.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
