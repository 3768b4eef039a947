package dev.carillon.engine;

import static java.util.Objects.requireNonNullElse;

import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import dev.carillon.target.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One try of a run on this node: calls the target and passes on how it ended, once.
 *
 * <p>Targets see it through an {@link AttemptContext} only, so that no user code can hold its lock.
 */
final class RunAttempt implements Runnable {
  /* Made before the first handler is called: a class that is first used when there is no memory for
   * it is never usable again. */
  private static final Outcome INTERRUPTED = ThrowableText.INTERRUPTED;
  private static final Outcome INDESCRIBABLE = ThrowableText.INDESCRIBABLE;
  private static final Outcome NO_OUTCOME =
      Outcome.failed(
          Failure.of("no_outcome", "the target ended without an outcome: null does not say how"));

  /* Guarded by this. The thread is known only while the target's own code runs on it, so that an
   * interrupt never hits what the thread does next. */
  private @Nullable Thread thread;
  private @Nullable Instant startedAt;
  private long begunAt;
  private boolean over;
  private boolean settled;
  private boolean fenced;
  private boolean reported;
  private @Nullable Outcome said;

  /* Whether a thread was given this attempt and has not come back from it. */
  private volatile boolean onThread;
  private volatile boolean thrown;

  /* Guarded by the CompletionQueue that it is in. */
  @Nullable RunAttempt nextEnded;
  boolean queued;

  private final StopRequest stopRequest = new StopRequest();
  private final RunProgress progress = new RunProgress();
  private final Run run;
  private final Owner owner;
  private final Target target;
  private final NodeTime time;
  private final long claimedAt;
  private final Consumer<RunAttempt> report;
  private @Nullable Outcome outcome;
  private @Nullable Instant endedAt;

  RunAttempt(Run run, Owner owner, Target target, NodeTime time, Consumer<RunAttempt> report) {
    this.run = run;
    this.owner = owner;
    this.target = target;
    this.time = time;
    this.claimedAt = time.nanos();
    this.report = report;
  }

  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    try {
      if (stop().isPresent()) {
        end(new Outcome.Interrupted(stopRequest.text()));
      } else {
        target.start(new AttemptContext(this), this::end);
      }
    } catch (Throwable e) { // user code: whatever it throws is the outcome of this run alone
      thrown = true; // first: if there is no memory for more, the timeout step ends it
      end(e instanceof InterruptedException ? INTERRUPTED : ThrowableText.outcome(e));
    } finally {
      leave();
    }
  }

  private synchronized boolean begin() {
    if (over) {
      return false;
    }
    startedAt = time.instant();
    begunAt = time.nanos();
    thread = stop().isEmpty() ? Thread.currentThread() : null;
    return true;
  }

  /** Say that the target's own code is done with the calling thread. */
  synchronized void leave() {
    thread = null;
    Thread.interrupted();
  }

  /**
   * Take the outcome; the first one counts. To call it again is to report the end again, in case
   * that went wrong: the stack or the memory may have ended in between.
   */
  void end(@Nullable Outcome given) {
    synchronized (this) {
      if (over && outcome == null) {
        return; // withdrawn
      }
      if (!over) {
        said = said == null ? requireNonNullElse(given, NO_OUTCOME) : said;
        Outcome judged = judged(said);
        endedAt = time.instant();
        outcome = judged;
        over = true;
      }
      if (reported) {
        return;
      }
    }
    report.accept(this);
    synchronized (this) {
      reported = true;
    }
  }

  /** End the attempt if it should have ended, and something went wrong on the way. */
  void endIfLost() {
    Outcome late;
    synchronized (this) {
      if (reported || (said == null && !thrown)) {
        return;
      }
      late = said == null ? INDESCRIBABLE : said;
    }
    end(late);
  }

  /* What was stopped did not fail by itself; but work that was done despite it is done, and what was
   * accepted elsewhere does not stop with this node. */
  private Outcome judged(Outcome said) {
    StopReason stop = stop().orElse(null);
    if (stop == null
        || settled
        || (said instanceof Outcome.Succeeded && stop != StopReason.TIMEOUT)
        || (said instanceof Outcome.Accepted && stop == StopReason.STOPPING)) {
      return said;
    }
    return switch (stop) {
      case TIMEOUT -> Outcome.failed(Failure.of("timeout", stopRequest.text()));
      case STOPPING -> new Outcome.Interrupted(stopRequest.text());
      case CANCELED -> new Outcome.Canceled(stopRequest.text());
      case FENCED -> said;
    };
  }

  /** Ask the target to end early, for the first reason that comes. */
  void stop(StopReason reason, String text) {
    synchronized (this) {
      if (over || !stopRequest.make(reason, text)) {
        return;
      }
      if (thread != null) {
        thread.interrupt();
      }
    }
    stopRequest.callListeners(run.id());
  }

  /** Forbid the target to be called, unless it has been. */
  synchronized boolean withdraw() {
    if (startedAt != null || over) {
      return false;
    }
    over = true;
    return true;
  }

  /** Set whether a thread is taken by this attempt, which may be over. */
  void setOnThread(boolean taken) {
    onThread = taken;
  }

  boolean isOnThread() {
    return onThread;
  }

  /** Give up the run: the node lost its lease, and recovery decides what becomes of it. */
  void fence() {
    withdraw();
    synchronized (this) {
      fenced = true;
    }
    stop(StopReason.FENCED, "the node lost its lease");
  }

  synchronized boolean countsNoMore() {
    return over || fenced;
  }

  /**
   * Return whether its end is left to recovery: the handler was stopped, and did not fail. What it
   * did all the same is written, if no other node has the run yet.
   */
  synchronized boolean isLeftToRecovery() {
    return fenced
        && !settled
        && !(outcome instanceof Outcome.Succeeded)
        && !(outcome instanceof Outcome.Accepted);
  }

  /** Return when the target may be called. */
  Instant startsAt() {
    return run.startedAt().orElse(run.dueAt());
  }

  /** Return whether the target was called and has ended. */
  synchronized boolean hasWorked() {
    return startedAt != null && endedAt != null;
  }

  synchronized boolean isOver() {
    return over;
  }

  boolean isTransactional() {
    Target called = target instanceof TemplatedTarget templated ? templated.target() : target;
    return called instanceof TransactionalTarget;
  }

  Run claimed() {
    return run;
  }

  RunId id() {
    return run.id();
  }

  Owner owner() {
    return owner;
  }

  /** Say that the success of this attempt is written already. */
  synchronized void markSettled() {
    settled = true;
  }

  synchronized boolean isSettled() {
    return settled;
  }

  synchronized Instant startedAt() {
    return startedAt == null ? startsAt() : startedAt;
  }

  synchronized Outcome outcome() {
    return outcome == null ? NO_OUTCOME : outcome;
  }

  synchronized Instant endedAt() {
    return endedAt == null ? startedAt() : endedAt;
  }

  /** Return the progress that was not returned before; empty once the attempt is over. */
  Optional<String> newProgress() {
    return isOver() ? Optional.empty() : progress.takeNew();
  }

  RunProgress progress() {
    return progress;
  }

  Optional<StopReason> stop() {
    return stopRequest.reason();
  }

  void onStop(Consumer<StopReason> listener) {
    stopRequest.onStop(listener);
  }

  /** Return for how long this node has had the attempt, whatever happens to clocks. */
  Duration held() {
    return Duration.ofNanos(time.nanos() - claimedAt);
  }

  /** Return for how long the target has worked, whatever happens to clocks; empty before. */
  synchronized Optional<Duration> worked() {
    return startedAt == null
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(time.nanos() - begunAt));
  }

  /** Return when the attempt times out; empty if it never does, or has not begun. */
  synchronized Optional<Instant> deadline() {
    Instant begun = startedAt;
    return begun == null ? Optional.empty() : run.policy().timeout().map(begun::plus);
  }
}
