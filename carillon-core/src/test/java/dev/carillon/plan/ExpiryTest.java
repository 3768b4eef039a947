package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpiryTest {
  private static final Instant START = Runs.SLOT;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Run PATIENT = Runs.begun(RunPolicy.DEFAULT);
  private static final Run HASTY = Runs.begun(policy(Retry.NONE, Recovery.RESUBMIT));

  private static RunPolicy policy(Retry retry, Recovery recovery) {
    return new RunPolicy(retry, recovery, Optional.of(MINUTE), 0);
  }

  @Test
  void an_accepted_run_has_its_own_timeout_from_its_start() {
    Instant now = START.plusSeconds(5);

    assertThat(Expiry.ofAccepted(HASTY, START.plusSeconds(2), now.plus(DAY)))
        .isEqualTo(START.plusSeconds(62));
  }

  @Test
  void an_accepted_run_without_a_timeout_has_the_usual_time_from_then_on() {
    Instant now = START.plusSeconds(5);

    assertThat(Expiry.ofAccepted(PATIENT, START, now.plus(DAY))).isEqualTo(now.plus(DAY));
  }

  @Test
  void a_lease_ends_when_it_says_or_with_the_attempts_time() {
    assertThat(Expiry.ofLease(PATIENT, START, DAY)).isEqualTo(START.plus(DAY));
    assertThat(Expiry.ofLease(HASTY, START, DAY)).isEqualTo(START.plus(MINUTE));
    assertThat(Expiry.ofLease(HASTY, START.plusSeconds(20), Duration.ofSeconds(30)))
        .isEqualTo(START.plusSeconds(50));
  }

  @Test
  void a_run_is_overdue_when_its_time_is_up() {
    assertThat(Expiry.isOverdue(HASTY, START.plus(MINUTE).minusNanos(1_000))).isFalse();
    assertThat(Expiry.isOverdue(HASTY, START.plus(MINUTE))).isTrue();
    assertThat(Expiry.isOverdue(PATIENT, START.plus(DAY))).isFalse();
  }

  @Test
  void silence_is_a_timeout_and_goes_through_retries() {
    Run twice = Runs.begun(policy(Retry.times(2), Recovery.FAIL));

    assertThat(Expiry.ofSilence(HASTY, START.plus(MINUTE)).failure())
        .contains(Failure.of("timeout", "took longer than PT1M"));
    assertThat(Expiry.ofSilence(PATIENT, START.plus(DAY)).failure())
        .contains(Failure.of("timeout", "nobody reported how it ended"));
    assertThat(Expiry.ofSilence(twice, START.plus(MINUTE)).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_lost_lease_goes_through_recovery() {
    Run once = Runs.begun(policy(Retry.NONE, Recovery.FAIL));
    Instant now = START.plusSeconds(30);

    assertThat(Expiry.ofLostLease(HASTY, now).state()).isEqualTo(RunState.PENDING);
    assertThat(Expiry.ofLostLease(once, now).failure())
        .contains(Failure.of("worker_lost", "the worker that had it let its lease end"));
  }

  @Test
  void a_lease_that_ends_with_the_attempts_time_is_a_timeout() {
    assertThat(Expiry.ofLostLease(HASTY, START.plus(MINUTE)).failure().map(Failure::code))
        .contains("timeout");
  }
}
