/** Tests of the store, against a real PostgreSQL. */
@NullMarked
package dev.carillon.store;

import org.jspecify.annotations.NullMarked;
