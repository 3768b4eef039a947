package dev.carillon.engine.remote;

import dev.carillon.engine.EngineContext;
import dev.carillon.engine.NodeTargets;
import dev.carillon.engine.ThrowableText;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.HandoverStore;
import dev.carillon.store.claim.OwnedRun;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks targets what became of runs whose node was lost. Meanwhile such a run is on lease, like one
 * that a worker has: if no answer comes, the end of the lease gives it to its recovery.
 */
public final class LostRunProbe {
  private static final Logger LOG = LoggerFactory.getLogger(LostRunProbe.class);

  /** How long a target may take to answer. */
  public static final Duration PROBE_TIMEOUT = Duration.ofSeconds(30);

  /** The most runs that are asked about at a time; others are not. */
  static final int MAX_OPEN_PROBES = 100;

  public static final Failure LOST = Failure.of("node_lost", "the node that ran it lost its lease");

  private final EngineContext engine;
  private final Handovers handovers;
  private final HandoverStore store;
  private final Executor workers;
  private final Map<RunId, Asked> waiting = new ConcurrentHashMap<>();
  private final Map<RunId, Asked> underWay = new ConcurrentHashMap<>();

  /* The run as its node had it, and the owner that has it on lease. */
  private record Asked(Run run, Owner owner, Instant until) {}

  public LostRunProbe(EngineContext engine, Handovers handovers, Executor workers) {
    this.engine = engine;
    this.handovers = handovers;
    this.store = engine.stores().handovers();
    this.workers = workers;
  }

  /** Return those of {@code lost} whose targets are to be asked. */
  public List<Run> choose(List<Run> lost, Instant now) {
    underWay.values().removeIf(asked -> !asked.until.isAfter(now));
    int room = Math.max(0, MAX_OPEN_PROBES - underWay.size() - waiting.size());
    return lost.stream().filter(this::canBeAsked).limit(room).toList();
  }

  private boolean canBeAsked(Run run) {
    return engine.targets().find(run.target()).filter(one -> one.target().canProbe()).isPresent();
  }

  /**
   * Note runs that were given on lease under the id of their node; they are asked about at the next
   * {@link #begin}, by when that is durable. If it never is, the answer changes nothing.
   */
  public void add(List<Run> runs, Owner dead, Instant until) {
    runs.forEach(run -> waiting.put(run.id(), new Asked(run, Owner.leased(dead.id()), until)));
  }

  /** Begin to ask about what was noted. */
  public void begin() {
    for (Asked asked : new ArrayList<>(waiting.values())) {
      if (waiting.remove(asked.run.id(), asked)) {
        underWay.put(asked.run.id(), asked);
        execute(() -> ask(asked));
      }
    }
  }

  private void ask(Asked asked) {
    var first = new AtomicBoolean(true);
    Consumer<Probe> answered =
        probe -> {
          if (first.getAndSet(false)) {
            execute(() -> settle(asked, probe));
          }
        };
    try {
      NodeTargets.Registered registered = engine.targets().find(asked.run.target()).orElseThrow();
      registered.target().probe(asked.run, answered);
    } catch (InterruptedException e) { // the node stops; another one asks again
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      ThrowableText.log(LOG, "a target failed when asked about run " + asked.run.id(), e);
      answered.accept(Probe.unknown());
    }
  }

  /* Without a thread the target is not asked, and the lease ends. */
  private void execute(Runnable work) {
    try {
      workers.execute(work);
    } catch (RejectedExecutionException e) {
      underWay.clear();
    }
  }

  private void settle(Asked asked, Probe probe) {
    Instant now = engine.now();
    try {
      engine.database().inTransaction(tx -> settle(tx, asked, probe, now));
      engine.wakeups().wakeClaimers();
    } catch (RuntimeException e) {
      ThrowableText.log(
          LOG, "could not write what became of run " + asked.run.id() + "; its lease ends it", e);
    } finally {
      underWay.remove(asked.run.id(), asked);
    }
  }

  private boolean settle(Transaction tx, Asked asked, Probe probe, Instant now) {
    store.lock(tx, List.of(asked.run.id())).stream()
        .filter(ownedRun -> isStillAsked(ownedRun, asked))
        .forEach(ownedRun -> settle(tx, ownedRun, asked.owner, probe, now));
    return true;
  }

  /* Fence: meanwhile it may have been reported on, or its lease ended. */
  private static boolean isStillAsked(OwnedRun ownedRun, Asked asked) {
    return ownedRun.owner().filter(asked.owner::equals).isPresent()
        && ownedRun.run().attempt() == asked.run.attempt();
  }

  private void settle(Transaction tx, OwnedRun ownedRun, Owner owner, Probe probe, Instant now) {
    Run run = ownedRun.run();
    if (probe.state() == Probe.State.RUNNING) {
      Verdict goesOn = Verdict.of(run, Outcome.accepted(), now);
      handovers.accept(
          tx, owner, List.of(new AttemptEnd(run, goesOn, run.startedAt().orElse(now), now)), now);
      return;
    }
    handovers.end(
        tx, List.of(ownedRun), one -> verdict(engine.failing(tx, run, now), probe, now), now);
  }

  private static Verdict verdict(Run run, Probe probe, Instant now) {
    return switch (probe.state()) {
      case SUCCEEDED -> Verdict.of(run, Outcome.succeeded(), now);
      case FAILED ->
          Verdict.of(
              run,
              Outcome.failed(
                  probe
                      .failure()
                      .orElseGet(() -> Failure.of("failed", "its target says that it failed"))),
              now);
      case RUNNING, UNKNOWN -> Verdict.lost(run, LOST, now);
    };
  }
}
