/** Runs a real PostgreSQL of our own in a data folder, for machines that have none. */
@NullMarked
package dev.carillon.postgres;

import org.jspecify.annotations.NullMarked;
