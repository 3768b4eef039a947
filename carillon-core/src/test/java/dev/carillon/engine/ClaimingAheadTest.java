package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that are claimed a second before they are due. */
@ExtendWith(EmbeddedPostgres.class)
class ClaimingAheadTest {
  private static final Duration MAX_LEAD = Duration.ofSeconds(20);
  private static final Duration LEAD = Duration.ofSeconds(1);

  private final DataSource postgres;
  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon node;

  ClaimingAheadTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    node = another();
  }

  private ManualCarillon another() {
    return belfry.node(
        builder -> builder.target("bell", bell).asyncTarget("slow", slow).claimAhead(MAX_LEAD));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private RunId enqueueIn(String target, Duration delay) {
    return node.runs().enqueue(RunDraft.of(target).in(delay));
  }

  private void advance(long millis) {
    belfry.clock().advance(Duration.ofMillis(millis));
    node.runDue();
  }

  @Test
  void a_run_is_claimed_before_it_is_due_and_starts_when_it_is() {
    Instant due = belfry.clock().instant().plus(LEAD);
    RunId id = enqueueIn("bell", LEAD);
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    assertThat(run(id).startedAt()).contains(due);
    assertThat(bell.calls()).isEmpty();

    advance(999);
    assertThat(bell.calls()).isEmpty();

    advance(1);
    assertThat(bell.calls()).hasSize(1);
    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).startedAt()).contains(due);
  }

  @Test
  void a_claim_that_fills_the_node_tells_how_long_before_to_claim() {
    var tap = new Wiretap(postgres);
    ManualCarillon small =
        belfry.nodeOn(
            tap.dataSource(),
            builder -> builder.asyncTarget("slow", slow).concurrency(2).claimAhead(MAX_LEAD));
    small.runs().enqueueAll(Chime.many(2, "slow"));
    tap.onCommit(() -> belfry.clock().advance(Duration.ofSeconds(3)));
    small.turn(EngineLoop.CLAIMING);
    tap.onCommit(() -> {});
    small.runDue();
    slow.calls().forEach(SlowTarget.Call::succeed);
    small.runDue();
    RunId next = small.runs().enqueue(RunDraft.of("slow").in(Duration.ofSeconds(4)));
    small.runDue();

    assertThat(run(next).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void it_is_told_as_started_when_it_starts() {
    enqueueIn("bell", LEAD);
    node.runDue();
    assertThat(node.events()).noneMatch(event -> event instanceof Event.Started);

    advance(1_000);
    assertThat(node.events())
        .filteredOn(event -> event instanceof Event.Started)
        .singleElement()
        .satisfies(event -> assertThat(event.at()).isEqualTo(belfry.clock().instant()));
  }

  @Test
  void claiming_rests_until_the_next_run_comes_within_reach() {
    enqueueIn("bell", Duration.ofMillis(1_400));

    assertThat(node.turn(EngineLoop.CLAIMING)).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  void launching_rests_until_the_first_claimed_run_is_due() {
    enqueueIn("bell", Duration.ofMillis(900));
    enqueueIn("bell", Duration.ofMillis(300));
    node.turn(EngineLoop.CLAIMING);

    assertThat(node.turn(EngineLoop.LAUNCHING)).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void a_run_that_is_canceled_before_it_is_due_never_starts() {
    RunId id = enqueueIn("bell", LEAD);
    node.runDue();
    node.runs().cancel(id, "not needed");
    advance(1_000);

    assertThat(bell.calls()).isEmpty();
    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(id).reason()).contains("not needed");
  }

  @Test
  void a_stopping_node_gives_back_what_is_not_due() {
    var engines = new ArrayList<Engine>();
    Carillon leaving =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .target("bell", bell)
            .claimAhead(MAX_LEAD)
            .buildManual(belfry.clock(), Runnable::run, engines::add);
    leaving.start();
    RunId id = enqueueIn("bell", LEAD);
    engines.get(0).turn(EngineLoop.CLAIMING);
    engines.get(0).departure().giveBack();
    leaving.close();
    advance(1_000);

    assertThat(run(id).node()).contains(node.carillon().nodeId());
    assertThat(run(id).attempt()).isEqualTo(1);
    assertThat(bell.calls()).hasSize(1);
  }

  @Test
  void a_node_that_lost_its_lease_starts_nothing_of_what_it_claimed() {
    ManualCarillon frozen = another();
    RunId id = enqueueIn("bell", LEAD);
    frozen.turn(EngineLoop.CLAIMING);
    for (int i = 0; i < 20; i++) {
      advance(1_000);
    }
    frozen.turn(EngineLoop.LAUNCHING);

    assertThat(bell.calls()).hasSize(1);
    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).node()).contains(node.carillon().nodeId());
  }

  @Test
  void a_run_whose_lane_is_held_is_judged_when_it_is_due_and_not_before() {
    node.schedules()
        .create(
            ScheduleDraft.named("beat")
                .target("slow")
                .every(Duration.ofSeconds(10))
                .overlap(Overlap.SKIP));
    node.pass(Duration.ofMillis(19_500));
    assertThat(slow.calls()).hasSize(1);
    slow.last().succeed();
    node.turn(EngineLoop.COMPLETION);
    advance(500);

    assertThat(slow.calls()).hasSize(2);
  }

  @Test
  void a_run_whose_lane_is_still_held_when_it_is_due_is_skipped_then() {
    node.schedules()
        .create(
            ScheduleDraft.named("beat")
                .target("slow")
                .every(Duration.ofSeconds(10))
                .overlap(Overlap.SKIP));
    node.pass(Duration.ofMillis(19_999));
    assertThat(skipped()).isEmpty();
    advance(1);

    assertThat(skipped()).hasSize(1);
  }

  private List<Run> skipped() {
    return node.runs().list(RunFilter.all().state(RunState.SKIPPED));
  }

  @Test
  void a_paused_schedule_still_starts_what_was_claimed() {
    node.schedules()
        .create(ScheduleDraft.named("beat").target("bell").every(Duration.ofSeconds(10)));
    node.pass(Duration.ofMillis(9_500));
    node.schedules().pause("beat", "maintenance");
    node.pass(Duration.ofSeconds(30));

    assertThat(bell.calls()).hasSize(1);
  }
}
