package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.SimulatedRun;
import dev.carillon.model.SimulatedRun.Outcome;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Lets the runs of one schedule start and end, each after the same time, as overlap says. */
final class SimulatedLane {
  private final Overlap overlap;
  private final Recovery recovery;
  private final Duration runTime;
  private final Uptime uptime;
  private final List<SimulatedRun> ended = new ArrayList<>();
  private final Deque<PlannedRun> waiting = new ArrayDeque<>();
  private Optional<SimulatedRun> holder = Optional.empty();

  SimulatedLane(Definition definition, Duration runTime, Uptime uptime) {
    this.overlap = definition.overlap();
    this.recovery = definition.policy().recovery();
    this.runTime = runTime;
    this.uptime = uptime;
  }

  /** Let a run come, which is not due before the one that came before it. */
  void come(PlannedRun run) {
    Instant now = uptime.upAt(run.dueAt());
    advance(now);
    if (!overlap.exclusive()) {
      ended.add(started(run, now));
      return;
    }
    switch (overlap.admit(holder.isPresent(), waiting.size())) {
      case START -> holder = Optional.of(started(run, now));
      case WAIT -> waiting.add(run);
      case SKIP -> ended.add(skipped(run, now, "overlap: an earlier run is unfinished"));
      case REPLACE -> replace(run, now);
    }
  }

  private void replace(PlannedRun run, Instant now) {
    holder.ifPresent(
        old ->
            ended.add(
                new SimulatedRun(
                    old.slot(),
                    old.dueAt(),
                    old.startedAt().filter(start -> start.isBefore(now)),
                    now,
                    old.startedAt().filter(start -> start.isBefore(now)).isPresent()
                        ? Outcome.CANCELED
                        : Outcome.SKIPPED,
                    "replaced by the run of " + run.slot())));
    holder = Optional.of(started(run, now));
  }

  /* What has ended by then makes room for what waits. */
  private void advance(Instant now) {
    while (holder.filter(run -> !run.finishedAt().isAfter(now)).isPresent()) {
      SimulatedRun over = holder.orElseThrow();
      ended.add(over);
      holder =
          Optional.ofNullable(waiting.poll())
              .map(next -> started(next, uptime.upAt(over.finishedAt())));
    }
  }

  private SimulatedRun started(PlannedRun run, Instant start) {
    Instant begin = start;
    String reason = "";
    for (Optional<Uptime.Span> outage = uptime.outageWithin(begin, begin.plus(runTime));
        outage.isPresent();
        outage = uptime.outageWithin(begin, begin.plus(runTime))) {
      begin = uptime.upAt(outage.get().from());
      if (recovery == Recovery.FAIL) {
        return new SimulatedRun(
            run.slot(),
            run.dueAt(),
            Optional.of(start),
            begin,
            Outcome.FAILED,
            "its node was lost, and it is not run again");
      }
      reason = "its node was lost, and it was run again from " + begin;
    }
    return new SimulatedRun(
        run.slot(),
        run.dueAt(),
        Optional.of(start),
        begin.plus(runTime),
        Outcome.SUCCEEDED,
        reason);
  }

  private static SimulatedRun skipped(PlannedRun run, Instant now, String why) {
    return new SimulatedRun(run.slot(), run.dueAt(), Optional.empty(), now, Outcome.SKIPPED, why);
  }

  /** Let a run come that no other can meet, and return when it ends. */
  Instant comeAlone(PlannedRun run) {
    SimulatedRun alone = started(run, uptime.upAt(run.dueAt()));
    ended.add(alone);
    return alone.finishedAt();
  }

  /** Let all end, and return them by the time they were due. */
  List<SimulatedRun> end() {
    while (holder.isPresent()) {
      advance(holder.get().finishedAt());
    }
    return ended.stream()
        .sorted(Comparator.comparing(SimulatedRun::dueAt).thenComparing(SimulatedRun::slot))
        .toList();
  }
}
