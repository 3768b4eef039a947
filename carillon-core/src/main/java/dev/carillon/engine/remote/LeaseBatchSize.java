package dev.carillon.engine.remote;

import dev.carillon.json.JsonSize;
import dev.carillon.model.Run;
import dev.carillon.store.jdbc.PageRoom;

/**
 * How many runs a worker is given at once: as many as it asks for, until their payloads fill a
 * page. They are claimed some at a time, by the largest payload so far.
 */
final class LeaseBatchSize {
  private static final int FIRST = 16;

  private int left;
  private long bytesLeft = PageRoom.MAX_BYTES;
  private long largest = PageRoom.MAX_BYTES / FIRST;
  private boolean begun;

  LeaseBatchSize(int max) {
    left = max;
  }

  /** Return how many to claim next; 0 if it is enough. */
  int next() {
    return (int) Math.max(0, Math.min(left, bytesLeft / largest));
  }

  void add(Run run) {
    long size = JsonSize.ofJson(run.payload().json());
    largest = Math.max(begun ? largest : 1, size);
    begun = true;
    bytesLeft -= size;
    left--;
  }
}
