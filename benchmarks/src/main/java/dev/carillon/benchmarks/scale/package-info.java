/** Measures how schedulers hold up under many runs and many schedules, on one PostgreSQL. */
@NullMarked
package dev.carillon.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
