/** The schedulers that are measured, each in one or more configurations. */
@NullMarked
package dev.carillon.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
