package dev.carillon.engine;

import dev.carillon.store.cluster.ClusterStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What is wrong with this node, as far as it knows without asking the database. */
public final class NodeHealth {
  private static final Duration STEP_SHOWN = Duration.ofMinutes(10);

  private final EngineContext engine;
  private volatile Supplier<List<String>> loops = List::of;

  NodeHealth(EngineContext engine) {
    this.engine = engine;
  }

  /** Ask {@code loops} for a sentence about each loop that does not turn. */
  void watchedBy(Supplier<List<String>> loops) {
    this.loops = loops;
  }

  /** Return a sentence about each thing that keeps this node from its work. */
  public List<String> standstills() {
    var reasons = new ArrayList<String>();
    if (!engine.membership().holds()) {
      reasons.add(ClusterStats.NOT_RUNNING);
    }
    reasons.addAll(loops.get());
    return reasons;
  }

  private Optional<String> clockStep() {
    NodeTime time = engine.time();
    return time.lastStep()
        .filter(step -> time.nanos() - step.nanos() < STEP_SHOWN.toNanos())
        .map(
            step ->
                "clock step: the database's clock was set by %s at %s; leases go by the time that passed, due times by the new clock"
                    .formatted(step.text(), step.at()));
  }

  /** Return a sentence about each thing that is wrong. */
  public List<String> problems() {
    Instant now = engine.now();
    var problems = new ArrayList<>(standstills());
    long stuck =
        engine.inFlight().lingering().values().stream()
            .filter(since -> TimeoutStep.isStuck(since, now))
            .count();
    if (stuck > 0) {
      problems.add(
          "stuck: %s handlers do not stop though their runs are over, and keep their places"
              .formatted(stuck));
    }
    clockStep().ifPresent(problems::add);
    return problems;
  }
}
