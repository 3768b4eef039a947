/**
 * The migrations of the schema, and what applies them.
 *
 * <p>Not part of the public API, but open to the other modules of Carillon.
 */
@NullMarked
package dev.carillon.store.schema;

import org.jspecify.annotations.NullMarked;
