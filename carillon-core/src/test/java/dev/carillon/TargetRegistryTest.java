package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Targets come, change and go while a node runs. */
@ExtendWith(EmbeddedPostgres.class)
class TargetRegistryTest {
  private final Belfry belfry;
  private final ManualCarillon node;
  private final TargetRegistry targets;
  private final SlowTarget bell = new SlowTarget();

  TargetRegistryTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("gong", run -> {}).remoteTarget("far"));
    targets = node.carillon().targets();
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @Test
  void what_the_builder_was_told_is_registered() {
    assertThat(targets.labels()).containsExactly("far", "gong");
    assertThat(targets.localLabels()).containsExactly("gong");
  }

  @Test
  void a_new_target_is_known_and_runs_at_once() {
    RunDraft draft = RunDraft.of("bell");
    assertThatIllegalArgumentException().isThrownBy(() -> node.runs().enqueue(draft));

    targets.put("bell", bell, 5);
    node.runs().enqueue(draft);
    node.schedules()
        .create(ScheduleDraft.named("hourly").target("bell").every(Duration.ofHours(1)));
    node.runDue();

    assertThat(bell.calls()).hasSize(1);
  }

  @Test
  void runs_that_waited_for_a_target_start_when_it_comes() {
    RunId id = node.runs().enqueue(RunDraft.of("far"));
    node.runDue();
    assertThat(state(id)).isEqualTo(RunState.PENDING);

    targets.put("far", bell, 1);
    node.runDue();

    assertThat(bell.runs()).containsExactly(id);
  }

  @Test
  void no_more_run_at_a_time_than_were_allowed_last() {
    targets.put("bell", bell, 3);
    for (int i = 0; i < 6; i++) {
      node.runs().enqueue(RunDraft.of("bell"));
    }
    node.runDue();
    assertThat(bell.calls()).hasSize(3);

    targets.put("bell", bell, 1);
    bell.call(0).succeed();
    node.runDue();
    assertThat(bell.calls()).hasSize(3);

    bell.call(1).succeed();
    bell.call(2).succeed();
    node.runDue();
    assertThat(bell.calls()).hasSize(4);
  }

  @Test
  void a_changed_target_gets_what_starts_from_then_on() {
    var other = new SlowTarget();
    targets.put("bell", bell, 5);
    RunId first = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    targets.put("bell", other, 5);
    RunId second = node.runs().enqueue(RunDraft.of("bell"));
    bell.last().succeed();
    node.runDue();

    assertThat(state(first)).isEqualTo(RunState.SUCCEEDED);
    assertThat(bell.runs()).containsExactly(first);
    assertThat(other.runs()).containsExactly(second);
  }

  @Test
  void a_removed_target_is_refused_and_what_runs_goes_on() {
    targets.put("bell", bell, 1);
    RunId running = node.runs().enqueue(RunDraft.of("bell"));
    RunId waiting = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    assertThat(targets.remove("bell")).isTrue();
    assertThat(targets.remove("bell")).isFalse();
    bell.last().succeed();
    node.runDue();

    assertThat(state(running)).isEqualTo(RunState.SUCCEEDED);
    assertThat(state(waiting)).isEqualTo(RunState.PENDING);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.runs().enqueue(RunDraft.of("bell")))
        .withMessage("no run can have the unknown target 'bell'; known are far, gong");
  }

  @Test
  void a_target_that_moves_elsewhere_is_accepted_and_not_run_here() {
    targets.putRemote("gong");
    RunId id = node.runs().enqueue(RunDraft.of("gong"));
    node.runDue();

    assertThat(state(id)).isEqualTo(RunState.PENDING);
    assertThat(targets.labels()).containsExactly("far", "gong");
    assertThat(targets.localLabels()).isEmpty();
  }

  @Test
  void a_label_or_room_that_makes_no_sense_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> targets.put("bell", bell, 0))
        .withMessage("target 'bell' needs room for at least 1 run; was 0");
    assertThatIllegalArgumentException().isThrownBy(() -> targets.put("a\0b", bell, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> targets.putRemote(""));
    assertThat(targets.remove("nobody")).isFalse();
  }

  private RunState state(RunId id) {
    return node.runs().get(id).map(Run::state).orElseThrow();
  }
}
