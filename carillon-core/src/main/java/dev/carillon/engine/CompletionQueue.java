package dev.carillon.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that ended and wait to be written, oldest first.
 *
 * <p>A linked list through the attempts themselves: adding one allocates nothing, since an attempt
 * may have ended because there was no memory.
 */
final class CompletionQueue {
  private @Nullable RunAttempt first;
  private @Nullable RunAttempt last;
  private final Runnable wake;

  /** Call {@code wake} when there are attempts to write. */
  CompletionQueue(Runnable wake) {
    this.wake = wake;
  }

  /** Add an attempt, once: to add it again does nothing. */
  void add(RunAttempt attempt) {
    if (append(attempt)) {
      wake.run();
    }
  }

  /* Returns whether it is the only one. */
  private synchronized boolean append(RunAttempt attempt) {
    if (attempt.queued) {
      return false;
    }
    RunAttempt before = last;
    last = attempt;
    attempt.queued = true;
    if (before != null) {
      before.nextEnded = attempt;
    } else {
      first = attempt;
    }
    return before == null;
  }

  /** Return up to {@code most} attempts; they stay until {@link #written}. */
  synchronized List<RunAttempt> peek(int most) {
    var some = new ArrayList<RunAttempt>();
    for (RunAttempt attempt = first;
        attempt != null && some.size() < most;
        attempt = attempt.nextEnded) {
      some.add(attempt);
    }
    return some;
  }

  /** Forget the oldest {@code count} attempts; return whether more wait. */
  synchronized boolean written(int count) {
    for (int i = 0; i < count && first != null; i++) {
      RunAttempt oldest = first;
      first = oldest.nextEnded;
      oldest.nextEnded = null;
    }
    if (first == null) {
      last = null;
    }
    return first != null;
  }
}
