package dev.carillon.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.Outcome;
import dev.carillon.target.Probe;
import dev.carillon.target.RunContext;
import dev.carillon.target.Target;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs of lost nodes whose targets know what became of them. */
@ExtendWith(EmbeddedPostgres.class)
class LostRunProbeTest {
  private static final Duration DEAD = Duration.ofSeconds(20);

  private final Belfry belfry;
  private final List<RunId> asked = new ArrayList<>();
  private Optional<Probe> answer = Optional.empty();

  LostRunProbeTest(DataSource postgres) {
    belfry = new Belfry(postgres);
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  /* Never ends by itself. */
  private final class Remote implements Target {
    @Override
    public void start(RunContext context, Consumer<Outcome> done) {}

    @Override
    public boolean canProbe() {
      return true;
    }

    @Override
    public void probe(Run run, Consumer<Probe> told) {
      asked.add(run.id());
      answer.ifPresent(told);
    }
  }

  private ManualCarillon node() {
    return belfry.node(builder -> builder.concurrency(200).asyncTarget("remote", new Remote()));
  }

  private RunId lost(RunDraft draft) {
    ManualCarillon lost = node();
    RunId id = lost.runs().enqueue(draft);
    lost.runDue();
    return id;
  }

  private ManualCarillon recovered() {
    ManualCarillon other = node();
    recover(other);
    return other;
  }

  private void recover(ManualCarillon other) {
    belfry.clock().advance(DEAD);
    other.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.RECOVERY);
  }

  @Test
  void what_the_target_has_done_is_not_done_again() {
    answer = Optional.of(Probe.succeeded());
    RunId id = lost(RunDraft.of("remote"));
    Run run = recovered().runs().get(id).orElseThrow();

    assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run.attempt()).isEqualTo(1);
    assertThat(asked).containsExactly(id);
  }

  @Test
  void what_failed_there_goes_through_the_retries_of_the_run() {
    answer = Optional.of(Probe.failed(Failure.of("disk_full", "no room")));
    RunId id = lost(RunDraft.of("remote"));

    assertThat(recovered().runs().get(id).orElseThrow().failure().orElseThrow().code())
        .isEqualTo("disk_full");
  }

  @Test
  void what_goes_on_there_is_waited_for() {
    answer = Optional.of(Probe.running());
    RunId id = lost(RunDraft.of("remote"));
    ManualCarillon other = recovered();
    belfry.clock().advance(Duration.ofMinutes(5));
    other.runDue();

    assertThat(other.runs().get(id).orElseThrow().state()).isEqualTo(RunState.RUNNING);
    assertThat(other.runs().get(id).orElseThrow().attempt()).isEqualTo(1);
    other.runs().report(id, Report.succeeded());
    assertThat(other.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void what_the_target_does_not_know_is_left_to_recovery() {
    answer = Optional.of(Probe.unknown());
    RunId again = lost(RunDraft.of("remote"));
    RunId never = lost(RunDraft.of("remote").atMostOnce());
    ManualCarillon other = recovered();

    assertThat(other.runs().get(again).orElseThrow().state()).isEqualTo(RunState.PENDING);
    assertThat(other.runs().get(never).orElseThrow().failure().orElseThrow().code())
        .isEqualTo("node_lost");
  }

  @Test
  void a_target_that_never_answers_holds_its_run_for_half_a_minute() {
    RunId id = lost(RunDraft.of("remote"));
    ManualCarillon other = recovered();
    assertThat(other.runs().get(id).orElseThrow().state()).isEqualTo(RunState.RUNNING);

    belfry.clock().advance(LostRunProbe.PROBE_TIMEOUT);
    other.turn(EngineLoop.HEARTBEAT);
    other.turn(EngineLoop.EXPIRY);

    assertThat(other.runs().get(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_node_that_starts_again_alone_asks_too() {
    answer = Optional.of(Probe.succeeded());
    RunId id = lost(RunDraft.of("remote"));
    belfry.clock().advance(DEAD);
    ManualCarillon again = node();
    again.turn(EngineLoop.RECOVERY);

    assertThat(again.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void of_many_runs_a_hundred_are_asked_about_and_the_others_recovered_at_once() {
    ManualCarillon lost = node();
    for (int i = 0; i < LostRunProbe.MAX_OPEN_PROBES + 5; i++) {
      lost.runs().enqueue(RunDraft.of("remote").correlation("many"));
    }
    lost.runDue();
    ManualCarillon other = recovered();

    assertThat(asked).hasSize(LostRunProbe.MAX_OPEN_PROBES);
    assertThat(
            other
                .runs()
                .list(RunFilter.all().correlation("many").state(RunState.PENDING).limit(500)))
        .hasSize(5);
  }

  @Test
  void an_answer_that_could_not_be_written_does_not_keep_others_from_being_asked_about() {
    answer = Optional.of(Probe.succeeded());
    ManualCarillon lost = node();
    for (int i = 0; i < LostRunProbe.MAX_OPEN_PROBES; i++) {
      lost.runs().enqueue(RunDraft.of("remote"));
    }
    lost.runDue();
    belfry.psql().execute("alter table carillon.history rename to hidden");
    ManualCarillon other = recovered();
    belfry.psql().execute("alter table carillon.hidden rename to history");
    assertThat(asked).hasSize(LostRunProbe.MAX_OPEN_PROBES);

    RunId next = lost(RunDraft.of("remote"));
    recover(other);

    assertThat(asked).contains(next);
  }
}
