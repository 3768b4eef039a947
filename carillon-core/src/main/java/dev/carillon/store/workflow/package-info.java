/**
 * Deployed workflows.
 *
 * <p>Not part of the public API, but open to the other modules of Carillon.
 */
@NullMarked
package dev.carillon.store.workflow;

import org.jspecify.annotations.NullMarked;
