package dev.carillon.engine;

import dev.carillon.PullWorkers;
import dev.carillon.RunDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.Completion;
import dev.carillon.target.CompletionResult;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.target.Renewal;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** Two nodes that leave a target to workers, and the workers' side of the counter. */
final class Press implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final List<String> PRESS = List.of("press");
  static final Outcome BROKEN = Outcome.failed(Failure.of("jammed", "paper everywhere"));

  private final Belfry belfry;
  private final Wiretap tap;
  private final ManualCarillon node;
  private final ManualCarillon other;

  Press(DataSource postgres) {
    belfry = new Belfry(postgres);
    tap = new Wiretap(postgres);
    node = belfry.nodeOn(tap.dataSource(), builder -> builder.remoteTarget("press"));
    other = belfry.node(builder -> builder.remoteTarget("press").remoteTarget("binding"));
  }

  @Override
  public void close() {
    belfry.close();
  }

  Belfry belfry() {
    return belfry;
  }

  Wiretap tap() {
    return tap;
  }

  ManualCarillon node() {
    return node;
  }

  ManualCarillon other() {
    return other;
  }

  PullWorkers workers() {
    return node.carillon().pullWorkers();
  }

  List<LeasedRun> claim(String worker, int max) {
    return workers().claim(worker, PRESS, max, LEASE);
  }

  LeasedRun claimed(RunDraft draft) {
    node.runs().enqueue(draft);
    return claim("anna", 1).get(0);
  }

  LeasedRun longLease() {
    node.runs().enqueue(RunDraft.of("press"));
    return workers().claim("anna", PRESS, 1, Duration.ofHours(1)).get(0);
  }

  Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  RunState state(LeasedRun leasedRun) {
    return run(leasedRun.run().id()).state();
  }

  static Completion end(LeasedRun leasedRun, Outcome outcome) {
    return new Completion(leasedRun.lease(), outcome);
  }

  CompletionResult complete(LeasedRun leasedRun, Outcome outcome) {
    return workers().complete(List.of(end(leasedRun, outcome))).get(0);
  }

  Renewal beat(String worker, LeasedRun leasedRun) {
    Lease lease = leasedRun.lease();
    return Objects.requireNonNull(
        workers().heartbeat(worker, List.of(lease), LEASE).get(lease.id()));
  }

  static <T extends Event> List<T> told(ManualCarillon node, Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }
}
