/**
 * The nodes of the cluster, their leases, and how the cluster is doing in numbers.
 *
 * <p>Not part of the public API, but open to the other modules of Carillon.
 */
@NullMarked
package dev.carillon.store.cluster;

import org.jspecify.annotations.NullMarked;
