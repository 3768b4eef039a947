package dev.carillon.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Attempts that ended and wait to be written, oldest first. */
final class Completions {
  private final Queue<RunAttempt> ended = new ArrayDeque<>();
  private Runnable wake = () -> {};

  synchronized void onArrival(Runnable wake) {
    this.wake = wake;
  }

  void add(RunAttempt attempt) {
    Runnable waking;
    synchronized (this) {
      ended.add(attempt);
      waking = ended.size() == 1 ? wake : () -> {};
    }
    waking.run();
  }

  /** Return up to {@code most} attempts; they stay until {@link #written}. */
  synchronized List<RunAttempt> peek(int most) {
    var some = new ArrayList<RunAttempt>(Math.min(most, ended.size()));
    for (RunAttempt attempt : ended) {
      if (some.size() == most) {
        break;
      }
      some.add(attempt);
    }
    return some;
  }

  /** Forget the oldest {@code count} attempts; return whether more wait. */
  synchronized boolean written(int count) {
    for (int i = 0; i < count; i++) {
      ended.remove();
    }
    return !ended.isEmpty();
  }
}
