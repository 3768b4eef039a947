package dev.carillon.benchmarks.scale;

/**
 * What it took to add idle schedules.
 *
 * @param seconds how long the library took
 */
record Prepared(double seconds) {}
