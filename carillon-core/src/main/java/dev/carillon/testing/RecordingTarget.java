package dev.carillon.testing;

import dev.carillon.model.RunId;
import dev.carillon.target.Handler;
import dev.carillon.target.RunContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A handler that remembers the runs it was called for, and handles them as a test says. */
public final class RecordingTarget implements Handler {
  private final List<RunContext> calls = new ArrayList<>();
  private Handler then = context -> {};

  /** Do {@code handler} with each run from now on, such as throwing. */
  public synchronized RecordingTarget then(Handler handler) {
    this.then = handler;
    return this;
  }

  /** Fail each run from now on with {@code message}. */
  public RecordingTarget failing(String message) {
    return then(
        context -> {
          throw new IllegalStateException(message);
        });
  }

  @Override
  public void run(RunContext context) throws Exception {
    Handler next;
    synchronized (this) {
      calls.add(context);
      next = then;
    }
    next.run(context);
  }

  /** Return the calls, oldest first. */
  public synchronized List<RunContext> calls() {
    return List.copyOf(calls);
  }

  /** Return the slots it was called for, in the order of the calls. */
  public List<Instant> slots() {
    return calls().stream().map(RunContext::slot).toList();
  }

  /** Return the runs it was called for, in the order of the calls. */
  public List<RunId> runs() {
    return calls().stream().map(RunContext::id).toList();
  }

  /** Forget the calls. */
  public synchronized void clear() {
    calls.clear();
  }
}
