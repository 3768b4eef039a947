package dev.carillon.engine;

import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Trigger;
import dev.carillon.store.Holder;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import dev.carillon.target.Target;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One try of a run on this node: calls the target and passes on how it ended, once. */
final class RunAttempt implements RunContext, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RunAttempt.class);

  /* Guarded by this. The thread is known only while the target's own code runs on it, so that an
   * interrupt never hits what the thread does next. */
  private @Nullable Thread thread;
  private @Nullable StopReason stop;
  private String stopText = "";
  private @Nullable Instant startedAt;
  private @Nullable String progress;
  private boolean progressed;
  private boolean over;
  private boolean settled;
  private final List<Consumer<StopReason>> stopListeners = new ArrayList<>();

  private final Run run;
  private final Holder holder;
  private final Target target;
  private final InstantSource time;
  private final Consumer<RunAttempt> report;
  private @Nullable Outcome outcome;
  private @Nullable Instant endedAt;

  RunAttempt(
      Run run, Holder holder, Target target, InstantSource time, Consumer<RunAttempt> report) {
    this.run = run;
    this.holder = holder;
    this.target = target;
    this.time = time;
    this.report = report;
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    if (stop().isPresent()) {
      end(new Outcome.Interrupted(stopText()));
      return;
    }
    try {
      target.start(this, this::end);
    } catch (InterruptedException e) {
      end(Outcome.failed(Failure.of("interrupted", "the handler was interrupted")));
    } catch (Throwable e) { // user code: whatever it throws is the outcome of this run alone
      end(Outcome.failed(failure(e)));
    } finally {
      leave();
    }
  }

  private synchronized boolean begin() {
    if (over) {
      return false;
    }
    startedAt = time.instant();
    thread = stop == null ? Thread.currentThread() : null;
    return true;
  }

  /** Take note that the target's own code is done with the calling thread. */
  synchronized void leave() {
    thread = null;
    Thread.interrupted();
  }

  private static Failure failure(Throwable e) {
    String name = e.getClass().getSimpleName();
    String code = name.isEmpty() ? e.getClass().getName() : name;
    try {
      var trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      String message = e.getMessage() == null ? code : e.getMessage();
      return new Failure(code, message, Optional.of(trace.toString()));
    } catch (RuntimeException | StackOverflowError indescribable) { // also user code
      return Failure.of(code, "an exception that cannot be described");
    }
  }

  /** Take how the target ended; the first word counts. */
  void end(Outcome said) {
    Objects.requireNonNull(said, "a target must say how the work ended; null says nothing");
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      outcome = judged(said);
      endedAt = time.instant();
    }
    report.accept(this);
  }

  /* What was stopped did not fail by itself; but work that was done despite it is done, and what was
   * accepted elsewhere does not stop with this node. */
  private Outcome judged(Outcome said) {
    if (stop == null
        || settled
        || (said instanceof Outcome.Succeeded && stop != StopReason.TIMEOUT)
        || (said instanceof Outcome.Accepted && stop == StopReason.STOPPING)) {
      return said;
    }
    return switch (stop) {
      case TIMEOUT -> Outcome.failed(Failure.of("timeout", stopText));
      case STOPPING -> new Outcome.Interrupted(stopText);
      case CANCELED -> new Outcome.Canceled(stopText);
      case FENCED -> said;
    };
  }

  /** Ask the target to end early, for the first reason that comes. */
  void stop(StopReason reason, String text) {
    List<Consumer<StopReason>> told;
    synchronized (this) {
      if (over || stop != null) {
        return;
      }
      stop = reason;
      stopText = text;
      told = List.copyOf(stopListeners);
      if (thread != null) {
        thread.interrupt();
      }
    }
    told.forEach(listener -> tell(listener, reason));
  }

  /* Called on the engine's threads, which have others to tell as well. */
  private void tell(Consumer<StopReason> listener, StopReason reason) {
    try {
      listener.accept(reason);
    } catch (RuntimeException e) {
      LOG.warn("a target failed when it was told to stop run {}: {}", run.id(), reason, e);
    }
  }

  /** Forbid the target to be called, unless it has been. */
  synchronized boolean withdraw() {
    if (startedAt != null || over) {
      return false;
    }
    over = true;
    return true;
  }

  private synchronized String stopText() {
    return stopText;
  }

  /** Return when the target may be called. */
  Instant startsAt() {
    return run.startedAt().orElse(run.dueAt());
  }

  /** Say whether the target was called and has ended. */
  synchronized boolean hasWorked() {
    return startedAt != null && endedAt != null;
  }

  /** Say whether it ended, or was withdrawn. */
  synchronized boolean isOver() {
    return over;
  }

  Run claimed() {
    return run;
  }

  Holder holder() {
    return holder;
  }

  /** Take note that the success of this attempt is written already. */
  synchronized void settled() {
    settled = true;
  }

  synchronized boolean isSettled() {
    return settled;
  }

  synchronized Instant startedAt() {
    return startedAt == null ? startsAt() : startedAt;
  }

  synchronized Outcome outcome() {
    return outcome == null ? Outcome.succeeded() : outcome;
  }

  synchronized Instant endedAt() {
    return endedAt == null ? startedAt() : endedAt;
  }

  /** Return news about the progress, once. */
  synchronized Optional<String> newProgress() {
    boolean news = progressed && !over;
    progressed = false;
    return news ? Optional.ofNullable(progress) : Optional.empty();
  }

  /** Return what the target said last about its progress. */
  synchronized Optional<String> lastProgress() {
    return Optional.ofNullable(progress);
  }

  @Override
  public synchronized void progress(String text) {
    String cut = text.length() <= 200 ? text : text.substring(0, 199) + "…";
    progress = cut.replace('\0', ' ');
    progressed = true;
  }

  @Override
  public synchronized Optional<StopReason> stop() {
    return Optional.ofNullable(stop);
  }

  @Override
  public void onStop(Consumer<StopReason> listener) {
    StopReason already;
    synchronized (this) {
      already = stop;
      if (already == null) {
        stopListeners.add(listener);
      }
    }
    if (already != null) {
      listener.accept(already);
    }
  }

  @Override
  public synchronized Optional<Instant> deadline() {
    Instant begun = startedAt;
    return begun == null ? Optional.empty() : run.policy().timeout().map(begun::plus);
  }

  @Override
  public RunId id() {
    return run.id();
  }

  @Override
  public Optional<String> schedule() {
    return run.schedule();
  }

  @Override
  public int version() {
    return run.version();
  }

  @Override
  public String target() {
    return run.target();
  }

  @Override
  public Trigger trigger() {
    return run.trigger();
  }

  @Override
  public Instant slot() {
    return run.slot();
  }

  @Override
  public Instant dueAt() {
    return run.dueAt();
  }

  @Override
  public int attempt() {
    return run.attempt();
  }

  @Override
  public String idempotencyKey() {
    return run.idempotencyKey();
  }

  @Override
  public Payload payload() {
    return run.payload();
  }

  @Override
  public Optional<String> correlation() {
    return run.correlation();
  }
}
