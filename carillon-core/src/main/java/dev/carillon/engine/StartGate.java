package dev.carillon.engine;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets attempts begin, no more than so many at work at a time; the others wait in line. */
final class StartGate {
  private final int most;
  private final Consumer<RunAttempt> begin;

  /* All guarded by this. One thread at a time lets attempts in: what begins may end at once, on the
   * same thread, and would else let in the next from within. */
  private final Queue<RunAttempt> waiting = new ArrayDeque<>();
  private final Set<RunAttempt> atWork = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean serving;

  /** Call {@code begin} for each attempt when its turn comes. */
  StartGate(int most, Consumer<RunAttempt> begin) {
    this.most = most;
    this.begin = begin;
  }

  /** Begin {@code attempt}, now or when others have left. */
  void enter(RunAttempt attempt) {
    synchronized (this) {
      waiting.add(attempt);
    }
    serve();
  }

  /** Make room: {@code attempt} ended, or does not count any more. */
  void leave(RunAttempt attempt) {
    synchronized (this) {
      if (!atWork.remove(attempt)) {
        return;
      }
    }
    serve();
  }

  private void serve() {
    for (RunAttempt attempt = first(); attempt != null; attempt = next()) {
      boolean begun = false;
      try {
        begin.accept(attempt);
        begun = true;
      } finally {
        if (!begun) {
          giveUp(attempt);
        }
      }
    }
  }

  private synchronized @Nullable RunAttempt first() {
    return serving ? null : next();
  }

  /* To add it may fail for want of memory: this thread then serves no more. */
  private synchronized @Nullable RunAttempt next() {
    serving = false;
    RunAttempt attempt;
    do {
      attempt = atWork.size() < most ? waiting.poll() : null;
    } while (attempt != null && attempt.isOver());
    if (attempt != null) {
      atWork.add(attempt);
      serving = true;
    }
    return attempt;
  }

  /* What keeps one from beginning must not keep the others out. */
  private synchronized void giveUp(RunAttempt attempt) {
    atWork.remove(attempt);
    serving = false;
  }
}
