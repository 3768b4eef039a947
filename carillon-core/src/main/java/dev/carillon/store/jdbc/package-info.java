/** Connections, transactions and statements on PostgreSQL, and the errors they end with. */
@NullMarked
package dev.carillon.store.jdbc;

import org.jspecify.annotations.NullMarked;
