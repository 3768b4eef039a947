/** The nodes of the cluster, their leases, and how the cluster is doing in numbers. */
@NullMarked
package dev.carillon.store.cluster;

import org.jspecify.annotations.NullMarked;
