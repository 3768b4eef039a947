package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that somebody cancels, before they start, while they run and when they are over. */
@ExtendWith(EmbeddedPostgres.class)
class CancelingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  CancelingTest(DataSource postgres) {
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
  void a_pending_run_is_canceled_at_once() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.CANCELED);
    node.pass(MINUTE);

    assertThat(run(node, id).reason()).contains("not needed");
    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void a_running_run_is_asked_to_stop() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.RUNNING);
    node.runDue();

    assertThat(slow.last().stops()).containsExactly(StopReason.CANCELED);
    assertThat(run(node, id).reason()).contains("not needed");
  }

  @Test
  void a_run_that_stops_when_asked_to_is_canceled() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    node.runs().cancel(id, "not needed");
    node.runDue();
    slow.last().fail("stopped");
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(node, id).reason()).contains("not needed");
  }

  @Test
  void a_run_that_succeeds_although_it_was_asked_to_stop_has_succeeded() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    node.runs().cancel(id, "not needed");
    node.runDue();
    slow.last().succeed();
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_run_that_fails_before_it_learns_of_its_cancellation_is_not_tried_again() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    node.runs().cancel(id, "not needed");
    slow.last().fail("broken");
    node.turn(EngineLoop.COMPLETION);

    assertThat(run(node, id).state()).isEqualTo(RunState.CANCELED);
  }

  @Test
  void a_run_that_waits_for_its_retry_is_canceled_at_once() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    slow.last().fail("broken");
    node.runDue();

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.CANCELED);
    assertThat(run(node, id).attempts()).hasSize(1);
  }

  @Test
  void nothing_is_canceled_that_is_over_or_unknown() {
    Run over = ended(node, RunDraft.of("bell"));

    assertThat(node.runs().cancel(over.id(), "too late")).isEmpty();
    assertThat(node.runs().cancel(new RunId(999_999, chime.now(), 0), "who?")).isEmpty();
    assertThat(run(node, over.id()).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void runs_of_one_correlation_are_canceled_together() {
    List<RunId> mine =
        node.runs()
            .enqueueAll(
                List.of(
                    RunDraft.of("bell").in(MINUTE).correlation("order-7"),
                    RunDraft.of("slow").in(MINUTE).correlation("order-7")));
    RunId other = node.runs().enqueue(RunDraft.of("bell").in(MINUTE).correlation("order-8"));

    assertThat(node.runs().cancelAll("order-7", "order withdrawn")).isEqualTo(2);

    assertThat(mine)
        .allSatisfy(id -> assertThat(run(node, id).state()).isEqualTo(RunState.CANCELED));
    assertThat(run(node, other).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void canceling_by_correlation_leaves_what_has_started() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").correlation("order-7"));
    node.runDue();

    assertThat(node.runs().cancelAll("order-7", "order withdrawn")).isZero();
    assertThat(run(node, id).state()).isEqualTo(RunState.RUNNING);
  }
}
