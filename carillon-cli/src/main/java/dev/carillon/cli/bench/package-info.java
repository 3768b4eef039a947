/**
 * Measures what Carillon can do on a given PostgreSQL, in databases of its own, through the public
 * door of the scheduler and plain JDBC.
 */
@NullMarked
package dev.carillon.cli.bench;

import org.jspecify.annotations.NullMarked;
