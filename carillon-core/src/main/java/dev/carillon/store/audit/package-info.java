/**
 * The audit log: who changed what.
 *
 * <p>Not part of the public API, but open to the other modules of Carillon.
 */
@NullMarked
package dev.carillon.store.audit;

import org.jspecify.annotations.NullMarked;
