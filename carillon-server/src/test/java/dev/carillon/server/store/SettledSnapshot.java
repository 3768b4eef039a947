package dev.carillon.server.store;

import dev.carillon.fixture.Await;

/**
 * Waits until all that was written before can be read: open transactions in other databases of the
 * same server, such as those of other tests, hold the oldest transaction of a snapshot back.
 */
final class SettledSnapshot {
  private SettledSnapshot() {}

  static ChangeStore.Snapshot of(ChangeStore changes) {
    long written = changes.snapshot().next();
    Await.until("earlier transactions to end", () -> changes.snapshot().oldest() >= written);
    return changes.snapshot();
  }
}
