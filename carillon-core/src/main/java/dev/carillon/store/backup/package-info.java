/** Copies everything Carillon keeps in a database into one file, and back. Not part of the API. */
@NullMarked
package dev.carillon.store.backup;

import org.jspecify.annotations.NullMarked;
