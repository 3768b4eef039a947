package dev.carillon.server.watch;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.RunState;
import dev.carillon.server.read.ContractText;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Summary;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Set;

/** What this node has done since it started, as counters and histograms. */
public final class NodeMetrics implements Listener {
  /* The work was never begun elsewhere: the target could not be reached, or would not take it. */
  private static final Set<String> NOT_LAUNCHED =
      Set.of(
          "address_refused",
          "unknown_host",
          "no_connection",
          "tls",
          "network",
          "no_answer",
          "bad_answer",
          "gone",
          "redirect",
          "workflow_unknown",
          "payload_unusable",
          "executor_unknown",
          "executor_failed",
          "store");

  private static final double[] LATENESS = {
    .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300
  };
  private static final double[] TURN = {.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5};

  private final PrometheusRegistry registry;
  private final MetricLabels targets = new MetricLabels();
  private final MetricLabels codes = new MetricLabels();
  private final Counter emitted;
  private final Counter skippedByOverlap;
  private final Counter dropped;
  private final Counter started;
  private final Counter accepted;
  private final Counter ended;
  private final Counter failures;
  private final Counter notLaunched;
  private final Counter retried;
  private final Counter fenced;
  private final Counter deadlinesMissed;
  private final Counter silences;
  private final Counter nodesLost;
  private final Counter recovered;
  private final Counter outages;
  private final Counter missedRuns;
  private final Counter turnsFailed;
  private final Counter clockSteps;
  private final Gauge lastClockStep;
  private final Histogram lateness;
  private final Histogram drift;
  private final RunsByTiming timings;
  private final Histogram turns;
  private final Summary durations;

  /** Keep the metrics in {@code registry}. */
  public NodeMetrics(PrometheusRegistry registry) {
    this.registry = registry;
    emitted = counter("runs_emitted", "Runs planned.");
    skippedByOverlap =
        counter("runs_skipped_overlap", "Runs that did not start because of an earlier one.");
    dropped = counter("slots_dropped", "Slots that became no run.", "reason");
    started = counter("runs_started", "Attempts begun.", "target");
    accepted = counter("runs_accepted", "Attempts that go on elsewhere.", "target");
    ended = counter("runs_ended", "Runs that are over.", "target", "state");
    failures = counter("run_failures", "Runs that failed for good.", "code");
    notLaunched =
        counter("runs_failed_launch", "Attempts that did not reach their target.", "target");
    retried = counter("runs_retried", "Attempts that failed and are tried again.", "target");
    fenced = counter("runs_fenced", "Attempts whose end came too late to count.", "target");
    deadlinesMissed =
        counter("deadlines_missed", "Runs that were not finished by their deadline.", "target");
    silences = counter("silences", "Schedules and pings that did not succeed in time.");
    nodesLost = counter("recovery_events", "Nodes found dead by this one.");
    recovered = counter("runs_recovered", "Runs taken over from dead nodes.");
    outages = counter("outages", "Times that no node was alive.");
    missedRuns = counter("runs_missed", "Planned runs that came due while no node was alive.");
    turnsFailed = counter("turns_failed", "Turns of a loop that failed.", "step");
    clockSteps = counter("clock_steps", "Times that the database's clock was set.");
    lastClockStep =
        Gauge.builder()
            .name("carillon_clock_last_step_seconds")
            .help("How far the database's clock was last set, back if negative.")
            .register(registry);
    lateness = histogram("run_lateness", "From when a run was due to when it was begun.", LATENESS);
    drift =
        histogram(
            "run_drift",
            "Between the slot of a run and when it was begun, earlier or later.",
            LATENESS);
    timings =
        new RunsByTiming(
            counter(
                "runs_by_timing", "Runs that are over, by what timed them.", "timing", "state"));
    turns = histogram("batch", "How long a turn of a loop took.", TURN, "step");
    durations =
        Summary.builder()
            .name("carillon_run_duration_seconds")
            .help("From the beginning of the last attempt to the end of the run.")
            .labelNames("target")
            .register(registry);
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder()
        .name("carillon_" + name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  private Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name("carillon_" + name + "_seconds")
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .labelNames(labels)
        .register(registry);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Planned planned) {
      planned(planned);
    } else if (event instanceof Event.Started begun) {
      started.labelValues(target(begun.run())).inc();
      if (begun.attempt() == 1) { // later ones wait for their backoff
        lateness.observe(seconds(Duration.between(begun.dueAt(), begun.at())));
        drift.observe(seconds(Duration.between(begun.run().id().slot(), begun.at()).abs()));
      }
    } else if (event instanceof Event.Accepted taken) {
      accepted.labelValues(target(taken.run())).inc();
    } else if (event instanceof Event.Finished finished) {
      finished(finished);
    } else if (event instanceof Event.Retrying retrying) {
      retried.labelValues(target(retrying.run())).inc();
      launch(retrying.run(), retrying.failure());
    } else if (event instanceof Event.Fenced late) {
      fenced.labelValues(target(late.run())).inc();
    } else if (event instanceof Event.DeadlineMissed missed) {
      deadlinesMissed.labelValues(target(missed.run())).inc();
    } else {
      cluster(event);
    }
  }

  PrometheusRegistry registry() {
    return registry;
  }

  RunsByTiming timings() {
    return timings;
  }

  private void planned(Event.Planned planned) {
    emitted.inc(planned.runs());
    for (DroppedSlots stretch : planned.dropped()) {
      dropped.labelValues(ContractText.word(stretch.reason())).inc(stretch.slots());
    }
  }

  private void finished(Event.Finished finished) {
    String target = target(finished.run());
    ended.labelValues(target, ContractText.word(finished.state())).inc();
    timings.ended(finished.run().schedule(), finished.state());
    if (finished.state() == RunState.SKIPPED
        && finished.reason().filter(EndReason::isOverlap).isPresent()) {
      skippedByOverlap.inc();
    }
    finished
        .failure()
        .ifPresent(
            failure -> {
              failures.labelValues(codes.bounded(failure.code())).inc();
              launch(finished.run(), failure);
            });
    finished
        .startedAt()
        .ifPresent(
            from ->
                durations
                    .labelValues(target)
                    .observe(seconds(Duration.between(from, finished.at()))));
  }

  private void launch(Event.RunRef run, Failure failure) {
    if (NOT_LAUNCHED.contains(failure.code()) || failure.code().startsWith("http_")) {
      notLaunched.labelValues(target(run)).inc();
    }
  }

  private void cluster(Event event) {
    if (event instanceof Event.NodeLost lost) {
      nodesLost.inc();
      recovered.inc(lost.runs());
    } else if (event instanceof Event.Outage outage) {
      outages.inc();
      missedRuns.inc(outage.runs());
    } else if (event instanceof Event.ClockStepped stepped) {
      clockSteps.inc();
      lastClockStep.set(stepped.by().toMillis() / 1e3);
    } else if (event instanceof Event.Silent || event instanceof Event.PingDown) {
      silences.inc();
    } else if (event instanceof Event.Turned turned) {
      turns.labelValues(turned.loop().word()).observe(seconds(turned.took()));
    } else if (event instanceof Event.TurnFailed failed) {
      turnsFailed.labelValues(failed.loop().word()).inc();
    }
  }

  private String target(Event.RunRef run) {
    return targets.bounded(run.target());
  }

  private static double seconds(Duration duration) {
    return Math.max(0, duration.toNanos() / 1e9);
  }
}
