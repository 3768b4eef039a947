/** Who works on which run: claims of nodes, leases of workers, runs handed over. */
@NullMarked
package dev.carillon.store.claim;

import org.jspecify.annotations.NullMarked;
