/**
 * What only a server keeps: tokens, targets, idempotency keys, the change log, cluster statistics.
 */
@NullMarked
package dev.carillon.server.store;

import org.jspecify.annotations.NullMarked;
