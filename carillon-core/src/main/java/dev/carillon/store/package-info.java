/** The only room with SQL: what is true lives in PostgreSQL. Not part of the public API. */
@NullMarked
package dev.carillon.store;

import org.jspecify.annotations.NullMarked;
