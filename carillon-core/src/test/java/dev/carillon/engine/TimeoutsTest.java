package dev.carillon.engine;

import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of attempts that take too long. */
@ExtendWith(EmbeddedPostgres.class)
class TimeoutsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final SlowTarget slow;

  TimeoutsTest(DataSource postgres) {
    chime = new Chime(postgres);
    node = chime.node();
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void an_attempt_that_takes_too_long_is_told_to_stop() {
    node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE.minusSeconds(1));
    assertThat(slow.last().stops()).isEmpty();

    node.pass(SECOND);

    assertThat(slow.last().stops()).containsExactly(StopReason.TIMEOUT);
  }

  @Test
  void timeouts_are_looked_at_when_the_first_of_them_is_over() {
    node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    Duration poll = node.turn(EngineLoop.TIMEOUTS);
    node.runs().enqueue(RunDraft.of("slow").timeout(SECOND));
    node.runDue();

    assertThat(node.turn(EngineLoop.TIMEOUTS)).isEqualTo(SECOND).isLessThan(poll);
  }

  @Test
  void an_attempt_that_stops_when_it_took_too_long_has_failed_by_timeout() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE);
    slow.last().fail("interrupted");
    node.runDue();

    assertThat(run(node, id).failure()).contains(Failure.of("timeout", "took longer than PT1M"));
  }

  @Test
  void an_attempt_that_ignores_its_timeout_has_failed_a_moment_later() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE.plusSeconds(5));

    assertThat(run(node, id).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_success_after_the_timeout_comes_too_late() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE);
    slow.last().succeed();
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_timeout_is_tried_again_like_any_failure() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE).retry(Retry.times(2)));
    node.pass(MINUTE);
    slow.last().fail("interrupted");
    node.pass(Duration.ofSeconds(2));

    assertThat(run(node, id).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("timeout");
    assertThat(run(node, id).state()).isEqualTo(RunState.RUNNING);
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int recurse(int depth) {
    return recurse(depth + 1) + 1;
  }
}
