package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that somebody asks for again wait for their turn: none is lost to another of its schedule.
 */
@ExtendWith(EmbeddedPostgres.class)
class InTurnTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final SlowTarget slow;

  InTurnTest(DataSource postgres) {
    chime = new Chime(postgres);
    node = chime.node();
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  static Stream<Overlap> rules() {
    return Stream.of(
        Overlap.SKIP, Overlap.queue(1), Overlap.QUEUE_ONE, Overlap.CANCEL_PREVIOUS, Overlap.QUEUE);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void all_dead_letters_of_a_schedule_run_one_after_the_other(Overlap overlap) {
    fiveDeadLetters(overlap);
    node.schedules().pause("minutely", "only what is driven again");

    assertThat(node.runs().redrive(RunFilter.bySchedule("minutely"))).isEqualTo(5);
    node.runDue();
    for (int ended = 0; ended < 5; ended++) {
      assertThat(slow.calls()).hasSize(5 + ended + 1);
      slow.last().succeed();
      node.runDue();
    }

    assertThat(slow.slots().subList(5, 10)).isEqualTo(minutes(1, 5));
    assertThat(states(minutes(1, 5))).containsOnly(RunState.SUCCEEDED).hasSize(5);
    assertThat(node.runs().deadLetters(10)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void dead_letters_named_by_their_ids_run_one_after_the_other(Overlap overlap) {
    fiveDeadLetters(overlap);
    node.schedules().pause("minutely", "only what is driven again");
    List<RunId> ids = node.runs().deadLetters(10).stream().map(Run::id).toList();

    assertThat(node.runs().redrive(ids)).isEqualTo(5);
    endAll(5);

    assertThat(states(minutes(1, 5))).containsOnly(RunState.SUCCEEDED).hasSize(5);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void a_retried_run_waits_for_the_one_that_runs(Overlap overlap) {
    node.schedules().create(minutely(overlap));
    node.pass(MINUTE);
    slow.last().fail("no rope");
    node.pass(MINUTE);

    node.runs().retry(run(at("00:01:00")).id());
    node.runDue();
    assertThat(run(at("00:01:00")).state()).isEqualTo(RunState.PENDING);
    assertThat(slow.call(1).stops()).isEmpty();
    slow.last().succeed();
    node.runDue();

    assertThat(run(at("00:01:00")).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_skipped_run_that_is_run_again_waits_for_the_one_that_runs() {
    node.schedules().create(minutely(Overlap.SKIP));
    node.pass(MINUTE.multipliedBy(2));
    assertThat(run(at("00:02:00")).state()).isEqualTo(RunState.SKIPPED);

    node.runs().retry(run(at("00:02:00")).id());
    node.runDue();
    assertThat(run(at("00:02:00")).state()).isEqualTo(RunState.PENDING);
    slow.last().succeed();
    node.runDue();

    assertThat(run(at("00:02:00")).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_slot_that_comes_meanwhile_is_skipped_as_the_schedule_says_and_none_other_is() {
    fiveDeadLetters(Overlap.SKIP);
    node.runs().redrive(RunFilter.bySchedule("minutely"));
    node.pass(MINUTE);

    assertThat(run(at("00:06:00")).state()).isEqualTo(RunState.SKIPPED);
    assertThat(run(at("00:06:00")).reason())
        .contains("run " + run(at("00:01:00")).id() + " is unfinished");
    endAll(5);
    assertThat(states(minutes(1, 5))).containsOnly(RunState.SUCCEEDED).hasSize(5);
  }

  @Test
  void runs_asked_for_again_take_no_place_in_the_queue_of_their_schedule() {
    fiveDeadLetters(Overlap.QUEUE_ONE);
    node.runs().redrive(RunFilter.bySchedule("minutely"));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(run(at("00:06:00")).state()).isEqualTo(RunState.PENDING);
    assertThat(run(at("00:07:00")).state()).isEqualTo(RunState.SKIPPED);
    endAll(6);
    assertThat(slow.slots().subList(5, 11)).isEqualTo(minutes(1, 6));
    assertThat(states(minutes(1, 6))).containsOnly(RunState.SUCCEEDED).hasSize(6);
  }

  @Test
  void a_newer_slot_neither_stops_nor_drops_runs_asked_for_again() {
    fiveDeadLetters(Overlap.CANCEL_PREVIOUS);
    node.runs().redrive(RunFilter.bySchedule("minutely"));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(slow.call(5).stops()).isEmpty();
    assertThat(run(at("00:06:00")).state()).isEqualTo(RunState.SKIPPED);
    assertThat(run(at("00:06:00")).reason()).contains("replaced by a newer run");
    assertThat(run(at("00:07:00")).state()).isEqualTo(RunState.PENDING);
    endAll(6);
    assertThat(states(minutes(1, 5))).containsOnly(RunState.SUCCEEDED).hasSize(5);
    assertThat(run(at("00:07:00")).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void work_with_an_overlap_key_that_is_run_again_waits_for_its_turn() {
    for (int i = 0; i < 3; i++) {
      node.runs().enqueue(RunDraft.of("slow").overlapKey("tower"));
    }
    node.runDue();
    for (int i = 0; i < 3; i++) {
      slow.last().fail("no rope");
      node.runDue();
    }

    assertThat(node.runs().redrive(RunFilter.all().target("slow"))).isEqualTo(3);
    endAll(3);

    assertThat(node.runs().list(RunFilter.all()))
        .extracting(Run::state)
        .containsOnly(RunState.SUCCEEDED)
        .hasSize(3);
  }

  private static ScheduleDraft minutely(Overlap overlap) {
    return ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(overlap);
  }

  private void fiveDeadLetters(Overlap overlap) {
    node.schedules().create(minutely(overlap));
    for (int i = 0; i < 5; i++) {
      node.pass(MINUTE);
      slow.last().fail("no rope");
      node.runDue();
    }
    assertThat(node.runs().deadLetters(10)).hasSize(5);
  }

  private void endAll(int count) {
    node.runDue();
    for (int i = 0; i < count; i++) {
      slow.last().succeed();
      node.runDue();
    }
  }

  private Run run(Instant slot) {
    return node.runs().ofSchedule("minutely").stream()
        .filter(run -> run.slot().equals(slot))
        .findFirst()
        .orElseThrow();
  }

  private List<RunState> states(List<Instant> slots) {
    return node.runs().ofSchedule("minutely").stream()
        .filter(run -> slots.contains(run.slot()))
        .sorted(Comparator.comparing(Run::id))
        .map(Run::state)
        .toList();
  }
}
