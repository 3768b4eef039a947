/**
 * Connections, transactions and statements on PostgreSQL, and the errors they end with.
 *
 * <p>Not part of the public API, but open to the other modules of Carillon.
 */
@NullMarked
package dev.carillon.store.jdbc;

import org.jspecify.annotations.NullMarked;
