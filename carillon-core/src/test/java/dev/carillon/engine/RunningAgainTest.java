package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Attempt;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that are over and run again, because somebody says so. */
@ExtendWith(EmbeddedPostgres.class)
class RunningAgainTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  RunningAgainTest(DataSource postgres) {
    chime = new Chime(postgres);
    node = chime.node();
    bell = chime.bell;
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void a_canceled_run_can_be_run_again() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));
    node.runs().cancel(id, "not needed");

    assertThat(node.runs().retry(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(node, id).reason()).isEmpty();
  }

  @Test
  void a_skipped_run_can_be_run_again() {
    node.schedules().create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *"));
    node.schedules().runNow("minutely");
    RunId skipped = node.schedules().runNow("minutely").orElseThrow().id();
    node.runDue();
    assertThat(run(node, skipped).state()).isEqualTo(RunState.SKIPPED);
    slow.last().succeed();
    node.runDue();

    node.runs().retry(skipped);
    node.runDue();

    assertThat(run(node, skipped).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void what_succeeded_or_is_not_over_is_not_run_again() {
    Run over = ended(node, RunDraft.of("bell"));
    RunId pending = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));

    assertThat(node.runs().retry(over.id())).isEmpty();
    assertThat(node.runs().retry(pending)).isEmpty();
    assertThat(node.runs().retry(new RunId(999_999, chime.now(), 0))).isEmpty();
  }

  @Test
  void dead_letters_are_listed_the_latest_first() {
    bell.failing("no rope");
    RunId first = ended(node, RunDraft.of("bell")).id();
    chime.belfry.clock().advance(SECOND);
    RunId second = ended(node, RunDraft.of("bell")).id();

    assertThat(node.runs().deadLetters(10)).extracting(Run::id).containsExactly(second, first);
  }

  @Test
  void a_dead_letter_is_driven_again_with_the_next_attempt_number() {
    bell.failing("no rope");
    RunId id = ended(node, RunDraft.of("bell").payload("room", "hall")).id();
    node.runs().redrive(List.of(id));
    node.runDue();

    assertThat(run(node, id).attempt()).isEqualTo(2);
    assertThat(run(node, id).attempts()).extracting(Attempt::number).containsExactly(1);
    assertThat(bell.calls().get(1).payload()).isEqualTo(Payload.of("room", "hall"));
  }

  @Test
  void a_dead_letter_is_driven_again_with_another_payload() {
    bell.failing("no rope");
    RunId id = ended(node, RunDraft.of("bell").payload("room", "hall")).id();
    node.runs().retry(id, Payload.of("room", "tower"));
    node.runDue();

    assertThat(bell.calls().get(1).payload()).isEqualTo(Payload.of("room", "tower"));
  }

  @Test
  void a_dead_letter_that_is_driven_again_is_no_dead_letter_meanwhile() {
    bell.failing("no rope");
    RunId id = ended(node, RunDraft.of("bell")).id();

    assertThat(node.runs().redrive(List.of(id, id))).isEqualTo(1);
    assertThat(node.runs().deadLetters(10)).isEmpty();
  }

  @Test
  void a_dead_letter_has_all_its_retries_each_time_it_is_driven_again() {
    bell.failing("no rope");
    RunId id = ended(node, RunDraft.of("bell").retry(Retry.times(3))).id();
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.pass(MINUTE);

    assertThat(run(node, id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(node, id).attempt()).isEqualTo(9);
  }

  @Test
  void the_pauses_of_a_dead_letter_that_is_driven_again_begin_anew() {
    bell.failing("no rope");
    RunId id = ended(node, RunDraft.of("bell").retry(Retry.times(3))).id();
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.runDue();
    bell.then(context -> {});
    node.pass(Duration.ofSeconds(2));

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
  }
}
