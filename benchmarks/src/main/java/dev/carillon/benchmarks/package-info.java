/** Measures Carillon beside its peers, and writes down what it found. */
@NullMarked
package dev.carillon.benchmarks;

import org.jspecify.annotations.NullMarked;
