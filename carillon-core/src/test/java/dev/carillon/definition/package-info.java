/** Tests of the store, against a real PostgreSQL. */
@NullMarked
package dev.carillon.definition;

import org.jspecify.annotations.NullMarked;
