/**
 * Stories of a cluster that a seed tells on one thread against a real PostgreSQL, with crashes,
 * lost connections and skewed clocks, and the audit of what the stories left behind.
 */
@NullMarked
package dev.carillon.simulation;

import org.jspecify.annotations.NullMarked;
