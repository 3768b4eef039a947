/** Runs a PostgreSQL server in a data folder, for machines without one. */
@NullMarked
package dev.carillon.postgres;

import org.jspecify.annotations.NullMarked;
