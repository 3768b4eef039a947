package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  private static final Instant NOW = Instant.parse("2026-03-02T10:00:30Z");
  private static final Failure BROKEN = Failure.of("broken", "it broke");
  private static final Failure NODE_LOST = Failure.of("node-lost", "its node died");
  private static final Retry THRICE = Retry.times(3);

  /** One outcome of each kind, so that a new kind cannot be forgotten. */
  private static final Map<Class<?>, Outcome> OUTCOMES =
      Map.of(
          Outcome.Succeeded.class,
          Outcome.succeeded(),
          Outcome.Failed.class,
          Outcome.failed(BROKEN),
          Outcome.Accepted.class,
          Outcome.accepted("job-7"),
          Outcome.Canceled.class,
          new Outcome.Canceled("enough"),
          Outcome.Interrupted.class,
          new Outcome.Interrupted("the node is stopping"));

  @Test
  void there_is_a_verdict_on_every_kind_of_outcome() {
    List<Class<?>> kinds = Arrays.asList(Outcome.class.getPermittedSubclasses());

    assertThat(OUTCOMES.keySet()).containsExactlyInAnyOrderElementsOf(kinds);
    for (Outcome outcome : OUTCOMES.values()) {
      Verdict verdict = Verdict.of(run(1, Retry.NONE), outcome, NOW);
      boolean goesOn = outcome instanceof Outcome.Accepted;
      assertThat(RunState.RUNNING.canBecome(verdict.state())).as("%s", verdict).isEqualTo(!goesOn);
      assertThat(verdict.state() == RunState.RUNNING).as("%s", verdict).isEqualTo(goesOn);
      assertThat(verdict.wakeAt().isPresent()).isEqualTo(verdict.state() == RunState.PENDING);
    }
  }

  @Test
  void a_verdict_names_the_run_and_the_attempt_it_is_about() {
    Run run = run(2, THRICE);
    Verdict verdict = Verdict.of(run, Outcome.succeeded(), NOW);

    assertThat(verdict)
        .isEqualTo(
            new Verdict(
                run.id(),
                2,
                RunState.SUCCEEDED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void a_failed_run_with_attempts_left_is_tried_again_after_its_backoff() {
    Verdict verdict = Verdict.of(run(2, THRICE), Outcome.failed(BROKEN), NOW);

    assertThat(verdict.state()).isEqualTo(RunState.PENDING);
    assertThat(verdict.wakeAt()).contains(NOW.plusSeconds(4));
    assertThat(verdict.failure()).contains(BROKEN);
  }

  @Test
  void a_failed_run_without_attempts_left_has_failed() {
    Verdict verdict = Verdict.of(run(3, THRICE), Outcome.failed(BROKEN), NOW);

    assertThat(verdict.state()).isEqualTo(RunState.FAILED);
    assertThat(verdict.wakeAt()).isEmpty();
    assertThat(verdict.failure()).contains(BROKEN);
    assertThat(verdict.reason()).isEmpty();
  }

  @Test
  void a_failure_that_another_try_cannot_mend_ends_the_run() {
    Verdict verdict = Verdict.of(run(1, THRICE), Outcome.failedPermanently(BROKEN), NOW);

    assertThat(verdict.state()).isEqualTo(RunState.FAILED);
    assertThat(verdict.failure()).contains(BROKEN);
  }

  @ParameterizedTest(name = "asked for {0}, it waits {1}")
  @CsvSource({
    "PT10S, PT10S",
    "PT1S, PT2S", // the backoff is longer
    "PT2S, PT2S",
    "PT-10S, PT2S",
    "PT720H, PT720H",
    "PT721H, PT720H",
    "PT2562047788015215H, PT720H"
  })
  void the_other_side_may_ask_for_a_longer_pause_within_bounds(Duration asked, Duration waited) {
    var outcome = new Outcome.Failed(BROKEN, true, Optional.of(asked));

    assertThat(Verdict.of(run(1, THRICE), outcome, NOW).wakeAt()).contains(NOW.plus(waited));
  }

  @Test
  void asking_for_a_pause_gives_no_further_attempt() {
    var outcome = new Outcome.Failed(BROKEN, true, Optional.of(Duration.ofSeconds(1)));

    assertThat(Verdict.of(run(3, THRICE), outcome, NOW).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_canceled_run_says_why() {
    Verdict verdict = Verdict.of(run(1, THRICE), new Outcome.Canceled("enough"), NOW);

    assertThat(verdict.state()).isEqualTo(RunState.CANCELED);
    assertThat(verdict.reason()).contains("enough");
    assertThat(verdict.failure()).isEmpty();
  }

  @Test
  void an_interrupted_run_is_recovered_like_one_whose_node_died() {
    Run run = run(1, Retry.NONE);
    Verdict verdict = Verdict.of(run, new Outcome.Interrupted("the node is stopping"), NOW);

    assertThat(verdict)
        .isEqualTo(Verdict.lost(run, Failure.of("interrupted", "the node is stopping"), NOW));
    assertThat(verdict.failure()).contains(Failure.of("interrupted", "the node is stopping"));
  }

  @ParameterizedTest(name = "{0}, {1} attempts, lost in attempt {2}: {3}")
  @CsvSource({
    "RESUBMIT, 1, 1, PENDING",
    "RESUBMIT, 1, 2, PENDING",
    "RESUBMIT, 1, 3, FAILED",
    "RESUBMIT, 5, 3, PENDING",
    "RESUBMIT, 5, 4, PENDING",
    "RESUBMIT, 5, 5, FAILED",
    "FAIL, 1, 1, FAILED",
    "FAIL, 5, 1, FAILED"
  })
  void a_run_that_lost_its_node_goes_on_as_its_recovery_says_but_not_for_ever(
      Recovery recovery, int attempts, int attempt, RunState state) {
    var policy = new RunPolicy(Retry.times(attempts), recovery, Optional.empty(), 0);
    Run run = Runs.running(attempt, policy, Optional.empty());

    Verdict verdict = Verdict.lost(run, NODE_LOST, NOW);

    assertThat(verdict.state()).isEqualTo(state);
    assertThat(verdict.wakeAt())
        .isEqualTo(state == RunState.PENDING ? Optional.of(NOW) : Optional.empty());
    assertThat(verdict.failure()).contains(NODE_LOST);
    assertThat(verdict.attempt()).isEqualTo(attempt);
  }

  @Test
  void a_run_that_lost_its_node_before_it_was_due_waits_until_it_is() {
    Run run = Runs.running(1, RunPolicy.DEFAULT, Optional.empty());

    assertThat(Verdict.lost(run, NODE_LOST, Runs.SLOT.minusSeconds(5)).wakeAt())
        .contains(Runs.SLOT);
  }

  @Test
  void a_run_that_was_asked_to_stop_and_does_not_succeed_is_canceled_with_what_was_asked() {
    Run run = Runs.running(1, policy(THRICE), Optional.of("asked by ann"));

    for (Verdict verdict :
        List.of(
            Verdict.of(run, Outcome.failed(BROKEN), NOW),
            Verdict.of(run, Outcome.failedPermanently(BROKEN), NOW),
            Verdict.of(run, new Outcome.Interrupted("the node is stopping"), NOW),
            Verdict.lost(run, NODE_LOST, NOW))) {
      assertThat(verdict.state()).isEqualTo(RunState.CANCELED);
      assertThat(verdict.reason()).contains("asked by ann");
      assertThat(verdict.wakeAt()).isEmpty();
    }
  }

  @Test
  void a_run_that_was_asked_to_stop_and_succeeds_anyway_has_succeeded() {
    Run run = Runs.running(1, policy(THRICE), Optional.of("asked by ann"));

    Verdict verdict = Verdict.of(run, Outcome.succeeded(), NOW);

    assertThat(verdict.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(verdict.reason()).isEmpty();
  }

  private static Run run(int attempt, Retry retry) {
    return Runs.running(attempt, policy(retry), Optional.empty());
  }

  private static RunPolicy policy(Retry retry) {
    return new RunPolicy(retry, Recovery.RESUBMIT, Optional.empty(), 0);
  }
}
