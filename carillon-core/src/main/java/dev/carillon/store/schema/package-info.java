/** The migrations of the schema, and what applies them. */
@NullMarked
package dev.carillon.store.schema;

import org.jspecify.annotations.NullMarked;
