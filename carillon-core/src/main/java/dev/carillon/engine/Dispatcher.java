package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.model.Run;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import dev.carillon.target.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Hands claimed runs to their targets, and asks these to stop. */
final class Dispatcher {
  private final EngineContext engine;
  private final CompletionQueue completions;
  private final Executor workers;
  private final StartGate gate;
  /* In front of the other: what waits here for a connection has not begun. */
  private final StartGate transactions;
  private final PriorityBlockingQueue<RunAttempt> claimedAhead =
      new PriorityBlockingQueue<>(16, Comparator.comparing(RunAttempt::startsAt));

  Dispatcher(EngineContext engine, CompletionQueue completions, Executor workers) {
    this.engine = engine;
    this.completions = completions;
    this.workers = workers;
    this.gate = new StartGate(engine.settings().concurrency(), this::begin);
    this.transactions = new StartGate(engine.settings().transactions(), gate::enter);
  }

  /** Start runs whose claim is committed, now or when they are due. */
  void launch(Owner owner, List<Run> runs, Instant now) {
    var attempts = new ArrayList<RunAttempt>(runs.size());
    for (Run claimed : runs) {
      Run run = engine.starting(engine.database(), claimed, now);
      Target target =
          engine
              .targets()
              .find(run.target())
              .map(NodeTargets.Registered::target)
              .orElse(Dispatcher::unknown);
      if (run.policy().template().isPresent()) {
        target = new TemplatedTarget(target, engine.templates());
      }
      var attempt = new RunAttempt(run, owner, target, engine.time(), this::ended);
      engine.inFlight().add(attempt);
      attempts.add(attempt);
    }
    boolean soon = false;
    for (RunAttempt attempt : attempts) {
      soon |= attempt.startsAt().isAfter(now) || endsSoon(attempt);
      if (attempt.startsAt().isAfter(now)) {
        claimedAhead.add(attempt);
      } else {
        enter(attempt);
      }
    }
    if (soon) {
      engine.wakeups().wake(EngineLoop.LAUNCHING);
      engine.wakeups().wake(EngineLoop.TIMEOUTS);
    }
  }

  private void enter(RunAttempt attempt) {
    if (attempt.isTransactional()) {
      transactions.enter(attempt);
    } else {
      gate.enter(attempt);
    }
  }

  private boolean endsSoon(RunAttempt attempt) {
    Duration poll = engine.settings().poll();
    return attempt
        .claimed()
        .policy()
        .timeout()
        .filter(most -> most.compareTo(poll) < 0)
        .isPresent();
  }

  /** Start what was claimed ahead and is due now; return how long to rest until the next is. */
  Duration launchDue(Instant now) {
    for (RunAttempt next = claimedAhead.peek(); next != null; next = claimedAhead.peek()) {
      if (next.startsAt().isAfter(now)) {
        break;
      }
      enter(claimedAhead.remove());
    }
    Duration poll = engine.settings().poll();
    return nextDue().map(due -> Step.shorter(Duration.between(now, due), poll)).orElse(poll);
  }

  /** Return when the first run that was claimed ahead is due. */
  Optional<Instant> nextDue() {
    return Optional.ofNullable(claimedAhead.peek()).map(RunAttempt::startsAt);
  }

  private void ended(RunAttempt attempt) {
    completions.add(attempt);
    makeRoom(attempt);
  }

  /* An attempt that is over takes up its place until its handler has returned: what is let in then
   * finds a thread, and whatever else the handler holds. */
  private void makeRoom(RunAttempt attempt) {
    if (!attempt.isOnThread()) {
      gate.leave(attempt);
      transactions.leave(attempt);
    }
  }

  private void begin(RunAttempt attempt) {
    engine.publish(RunEvents.started(attempt.claimed(), engine.now()));
    boolean handed = false;
    attempt.setOnThread(true);
    try {
      workers.execute(() -> start(attempt));
      handed = true;
    } catch (RejectedExecutionException stopping) {
      attempt.end(new Outcome.Interrupted("the node is stopping"));
    } finally {
      if (!handed) { // there may be no memory for a thread
        returned(attempt);
      }
    }
  }

  /* A process may have been frozen since the claim; another node may have the run by then. */
  private void start(RunAttempt attempt) {
    try {
      if (engine.membership().holds()) {
        attempt.run();
      } else {
        attempt.end(new Outcome.Interrupted("the lease was over before it started"));
      }
    } finally {
      returned(attempt);
    }
  }

  private void returned(RunAttempt attempt) {
    attempt.setOnThread(false);
    engine.inFlight().returned(attempt);
    if (attempt.countsNoMore()) {
      makeRoom(attempt);
    }
  }

  /* Its target was removed after the claim; a node that has it will take the run. */
  private static void unknown(RunContext context, Consumer<Outcome> done) {
    done.accept(
        new Outcome.Interrupted("target '" + context.target() + "' is not on this node any more"));
  }

  /** Take back the attempts whose target has not been called. */
  List<Run> withdraw() {
    return withdraw(attempt -> true);
  }

  /** Take back the attempts that were due before {@code since} and have not begun. */
  List<Run> withdrawWaitingSince(Instant since) {
    return withdraw(attempt -> attempt.startsAt().isBefore(since));
  }

  private List<Run> withdraw(Predicate<RunAttempt> which) {
    var withdrawn = new ArrayList<Run>();
    for (RunAttempt attempt : engine.inFlight().all()) {
      if (which.test(attempt) && attempt.withdraw()) {
        engine.inFlight().remove(attempt);
        makeRoom(attempt);
        withdrawn.add(attempt.claimed());
      }
    }
    return withdrawn;
  }

  /** Stop all attempts, whose ends do not count any more, and forget them. */
  void fence() {
    for (RunAttempt attempt : engine.inFlight().all()) {
      attempt.fence();
      engine.inFlight().remove(attempt);
      makeRoom(attempt);
    }
  }

  void stopAll(String why) {
    engine.inFlight().all().forEach(attempt -> attempt.stop(StopReason.STOPPING, why));
  }
}
