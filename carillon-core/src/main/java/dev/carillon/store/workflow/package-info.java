/** Deployed workflows. */
@NullMarked
package dev.carillon.store.workflow;

import org.jspecify.annotations.NullMarked;
