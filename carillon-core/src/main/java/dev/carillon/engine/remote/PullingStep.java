package dev.carillon.engine.remote;

import dev.carillon.engine.EngineContext;
import dev.carillon.engine.Step;
import dev.carillon.engine.Wakeups;
import dev.carillon.event.EngineLoop;
import dev.carillon.store.claim.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes requests of workers that wait for due runs; asks the database once for all of them. */
public final class PullingStep implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(PullingStep.class);

  /* What is due and not claimed may be locked by another node, or wait for its lane. */
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

  private final LeaseStore store;
  private final Duration poll;
  private final Wakeups wakeups;

  /* Guarded by itself. */
  private final Set<Waiting> waiting = new LinkedHashSet<>();

  public PullingStep(EngineContext engine) {
    this.store = engine.stores().leases();
    this.poll = engine.settings().poll();
    this.wakeups = engine.wakeups();
  }

  private static final class Waiting {
    private final Set<String> targets;
    private final Runnable wake;

    Waiting(Collection<String> targets, Runnable wake) {
      this.targets = Set.copyOf(targets);
      this.wake = wake;
    }
  }

  /** Call {@code wake} whenever runs of {@code targets} are due, until what is returned is run. */
  public Runnable await(Collection<String> targets, Runnable wake) {
    var one = new Waiting(targets, wake);
    synchronized (waiting) {
      waiting.add(one);
    }
    wakeups.wake(EngineLoop.PULLING);
    return () -> {
      synchronized (waiting) {
        waiting.remove(one);
      }
    };
  }

  @Override
  public Duration run(Instant now) {
    List<Waiting> all;
    synchronized (waiting) {
      all = new ArrayList<>(waiting);
    }
    if (all.isEmpty()) {
      return poll;
    }
    var targets = new HashSet<String>();
    all.forEach(one -> targets.addAll(one.targets));
    var due = new HashSet<String>();
    Duration rest = poll;
    for (Map.Entry<String, Instant> next : store.nextDue(targets).entrySet()) {
      if (next.getValue().isAfter(now)) {
        rest = Step.shorter(rest, Duration.between(now, next.getValue()));
      } else {
        due.add(next.getKey());
        rest = Step.shorter(rest, RETRY_INTERVAL);
      }
    }
    all.stream().filter(one -> one.targets.stream().anyMatch(due::contains)).forEach(this::wake);
    return rest;
  }

  /* What one of them throws must not keep the others waiting. */
  private void wake(Waiting one) {
    try {
      one.wake.run();
    } catch (RuntimeException e) {
      LOG.warn("a request that waits for due runs failed when woken", e);
    }
  }
}
