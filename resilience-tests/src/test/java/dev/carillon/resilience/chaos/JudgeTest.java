package dev.carillon.resilience.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.resilience.cluster.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge finds what is planted, and nothing else. */
class JudgeTest {
  private static final Instant FIRST = Instant.parse("2027-01-01T00:00:00Z");
  private static final String KEY_OF_FIRST =
      "9981f217b22ae8087088d6726beaf7bf04293eb114d9fc2490cef56d9137d0bf";

  private final List<Call> calls = new ArrayList<>();
  private final List<Fire> fires = new ArrayList<>();

  private void call(String run, int attempt, Duration late, Duration work) {
    Instant begin = FIRST.plus(late);
    calls.add(new Call(run, "tick", FIRST, attempt, KEY_OF_FIRST, begin, begin.plus(work)));
  }

  private void fire(String decision, String reason, String run) {
    fires.add(new Fire(FIRST, decision, reason, run));
  }

  private List<String> broken() {
    var expected = new Expectation("tick", true, FIRST, FIRST);
    return new Judge(expected, calls, fires, Duration.ZERO).judge(true).broken();
  }

  @Test
  void a_slot_that_was_called_once_is_well() {
    call("a", 1, Duration.ofMillis(5), Duration.ofMillis(10));
    fire("succeeded", "", "a");
    assertThat(broken()).isEmpty();
  }

  @Test
  void a_slot_with_a_reason_is_well() {
    fire("skipped", "run b is unfinished", "a");
    assertThat(broken()).isEmpty();
  }

  @Test
  void a_slot_without_a_trace_is_lost() {
    assertThat(broken())
        .containsExactly("lost: tick 2027-01-01T00:00:00Z has no call, and is unknown");
  }

  @Test
  void a_success_that_nobody_saw_is_lost() {
    fire("succeeded", "", "a");
    assertThat(broken())
        .containsExactly("lost: tick 2027-01-01T00:00:00Z has no call, and is succeeded");
  }

  @Test
  void a_run_that_does_not_end_is_stuck() {
    call("a", 1, Duration.ofMillis(5), Duration.ofMillis(10));
    fire("running", "", "a");
    assertThat(broken())
        .containsExactly("stuck: tick 2027-01-01T00:00:00Z was called, and is running");
  }

  @Test
  void two_runs_of_a_slot_are_doubled() {
    call("a", 1, Duration.ofMillis(5), Duration.ofMillis(10));
    call("b", 2, Duration.ofMillis(25), Duration.ofMillis(10));
    fire("succeeded", "", "a");
    assertThat(broken()).hasSize(1).first().asString().startsWith("doubled: tick");
  }

  @Test
  void an_attempt_that_is_made_twice_is_doubled() {
    call("a", 1, Duration.ofMillis(5), Duration.ofMillis(10));
    call("a", 1, Duration.ofMillis(25), Duration.ofMillis(10));
    fire("succeeded", "", "a");
    assertThat(broken())
        .containsExactly("doubled: tick 2027-01-01T00:00:00Z was called twice for attempt 1");
  }

  @Test
  void calls_at_the_same_time_overlap() {
    call("a", 1, Duration.ofMillis(5), Duration.ofMillis(10));
    call("a", 2, Duration.ofMillis(14), Duration.ofMillis(10));
    fire("succeeded", "", "a");
    assertThat(broken())
        .containsExactly(
            "overlap: tick 2027-01-01T00:00:00Z began at 2027-01-01T00:00:00.014Z, before"
                + " 2027-01-01T00:00:00.015Z");
  }

  @Test
  void a_call_before_its_slot_is_early() {
    call("a", 1, Duration.ofMillis(-1), Duration.ofMillis(10));
    fire("succeeded", "", "a");
    assertThat(broken())
        .containsExactly("early: tick 2027-01-01T00:00:00Z was called at 2026-12-31T23:59:59.999Z");
  }
}
