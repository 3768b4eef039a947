package dev.carillon.benchmarks.measure;

/**
 * What it took to add idle schedules.
 *
 * @param seconds how long the library took
 */
record Prepared(double seconds) {}
