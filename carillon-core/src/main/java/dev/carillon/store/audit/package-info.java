/** The audit log: who changed what. */
@NullMarked
package dev.carillon.store.audit;

import org.jspecify.annotations.NullMarked;
