package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.Run;
import dev.carillon.plan.Runs;
import dev.carillon.policy.Overlap;
import dev.carillon.store.run.Owner;
import dev.carillon.target.Outcome;
import dev.carillon.target.Target;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CapacityTest {
  private final NodeTargets targets = new NodeTargets();
  private InFlight inFlight = new InFlight(InstantSource.system(), () -> {});
  private int nodes = 1;

  @Test
  void a_single_target_gets_all_that_is_free() {
    register("bell", Integer.MAX_VALUE);

    assertThat(capacity(50).free()).containsExactly(Map.entry("bell", 50));
  }

  @Test
  void no_more_is_given_out_than_is_free() {
    for (int i = 0; i < 30; i++) {
      register("bell-" + i, Integer.MAX_VALUE);
    }
    Capacity capacity = capacity(10);

    for (int turn = 0; turn < 50; turn++) {
      Map<String, Integer> free = capacity.free();
      assertThat(free.values().stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(10);
      capacity.usedUp(free);
    }
  }

  @Test
  void with_more_targets_than_room_each_has_its_turn() {
    for (int i = 0; i < 30; i++) {
      register("bell-" + i, Integer.MAX_VALUE);
    }
    Capacity capacity = capacity(10);
    var served = new java.util.HashSet<String>();

    for (int turn = 0; turn < 30; turn++) {
      served.addAll(capacity.free().keySet());
    }

    assertThat(served).hasSize(30);
  }

  @Test
  void a_target_with_a_limit_gets_no_more_than_that() {
    register("fragile", 2);
    register("bell", Integer.MAX_VALUE);

    assertThat(capacity(100).free()).containsEntry("fragile", 2).containsEntry("bell", 50);
  }

  @Test
  void a_busy_target_gets_most_and_the_others_enough_to_show_up() {
    register("busy", Integer.MAX_VALUE);
    register("calm", Integer.MAX_VALUE);
    register("quiet", Integer.MAX_VALUE);
    Capacity capacity = capacity(100);
    capacity.usedUp(Map.of("busy", 100));

    Map<String, Integer> free = capacity.free();

    assertThat(free.get("busy")).isEqualTo(75);
    assertThat(free.get("calm")).isEqualTo(8);
    assertThat(free.get("quiet")).isEqualTo(8);
  }

  @Test
  void nothing_is_kept_free_when_all_targets_are_busy() {
    register("busy", Integer.MAX_VALUE);
    register("busy too", Integer.MAX_VALUE);
    Capacity capacity = capacity(100);
    capacity.usedUp(Map.of("busy", 50, "busy too", 50));

    assertThat(capacity.free()).containsEntry("busy", 50).containsEntry("busy too", 50);
  }

  @Test
  void a_claim_takes_at_most_four_thousand() {
    register("bell", Integer.MAX_VALUE);

    assertThat(capacity(10_000).free()).containsEntry("bell", 4_000);
  }

  @Test
  void many_quick_runs_are_held_ready_and_few_slow_ones() {
    register("bell", Integer.MAX_VALUE);

    assertThat(after(Duration.ofMillis(1)).free()).containsEntry("bell", 4_000);
    assertThat(after(Duration.ofMillis(5)).free()).containsEntry("bell", 1_100);
    assertThat(after(Duration.ofSeconds(1)).free()).containsEntry("bell", 105);
    assertThat(after(Duration.ofMinutes(1)).free()).containsEntry("bell", 100);
  }

  @Test
  void few_are_held_ready_when_their_payloads_are_large() {
    register("bell", Integer.MAX_VALUE);

    assertThat(after(Duration.ofMillis(1), 50).free()).containsEntry("bell", 125);
  }

  @Test
  void hardly_any_are_held_ready_after_some_had_to_be_given_back() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMillis(1));
    capacity.free();
    capacity.heldTooLong(List.of(Runs.due(7, 0, Overlap.ALLOW)), Duration.ofSeconds(1));

    assertThat(capacity.free()).containsEntry("bell", 105);
  }

  @Test
  void runs_that_were_fenced_do_not_count_as_quick() {
    register("bell", Integer.MAX_VALUE);
    RunAttempt fenced =
        attempt(
            Runs.due(7, 0, Overlap.ALLOW),
            (context, done) -> {},
            TestClock.at("2026-03-01T00:00:00Z"));
    inFlight.add(fenced);
    fenced.run();
    inFlight.remove(fenced);

    assertThat(capacity(100).free()).containsEntry("bell", 100);
  }

  @Test
  void what_is_held_ready_is_shared_with_the_other_nodes() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMillis(1));

    nodes = 2;
    assertThat(capacity.free()).containsEntry("bell", 2_050);
    nodes = 4;
    assertThat(capacity.free()).containsEntry("bell", 1_025);
    nodes = 100;
    assertThat(capacity.free()).containsEntry("bell", 1_000);
  }

  @Test
  void in_a_backlog_without_end_there_is_enough_for_all_nodes() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMillis(1));
    nodes = 4;
    for (int claim = 0; claim < 8; claim++) {
      capacity.usedUp(Map.of("bell", 1_000));
    }
    assertThat(capacity.free()).containsEntry("bell", 1_025);

    capacity.usedUp(Map.of("bell", 100));
    assertThat(capacity.free()).containsEntry("bell", 4_000);

    capacity.usedUp(Map.of());
    assertThat(capacity.free()).containsEntry("bell", 1_025);
  }

  @Test
  void a_target_that_may_have_few_at_a_time_has_no_backlog_without_end() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMillis(1));
    nodes = 4;
    for (int second = 0; second < 100; second++) {
      for (int claim = 0; claim < 10; claim++) {
        capacity.usedUp(Map.of("fragile", 10));
      }
      capacity.usedUp(Map.of("fragile", 10, "bell", 1_025));
    }

    assertThat(capacity.free().get("bell")).isLessThanOrEqualTo(1_025);
  }

  @Test
  void in_a_backlog_without_end_a_claim_waits_until_half_of_what_was_ready_is_gone() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMillis(1));
    inHand(2_101);
    assertThat(capacity.canWait()).isFalse();

    capacity.usedUp(Map.of("bell", 8_001));
    assertThat(capacity.canWait()).isTrue();

    inFlight.remove(inFlight.find(Runs.due(7, 1, Overlap.ALLOW).id()).orElseThrow());
    assertThat(capacity.canWait()).isFalse();
  }

  @Test
  void slow_runs_are_not_waited_for() {
    register("bell", Integer.MAX_VALUE);
    Capacity capacity = after(Duration.ofMinutes(1));
    inHand(100);
    capacity.usedUp(Map.of("bell", 8_001));

    assertThat(capacity.canWait()).isFalse();
  }

  private void inHand(int runs) {
    for (int number = 1; number <= runs; number++) {
      inFlight.add(
          attempt(
              Runs.due(7, number, Overlap.ALLOW),
              (context, done) -> {},
              TestClock.at("2026-03-01T00:00:00Z")));
    }
  }

  private Capacity after(Duration length) {
    return after(length, 1_000_000);
  }

  /* A node with room for a hundred, whose runs so far took this long. */
  private Capacity after(Duration length, long mostBytes) {
    inFlight = new InFlight(InstantSource.system(), () -> {});
    var time = TestClock.at("2026-03-01T00:00:00Z");
    RunAttempt attempt =
        attempt(
            Runs.due(7, 0, Overlap.ALLOW),
            (context, done) -> {
              time.advance(length);
              done.accept(Outcome.succeeded());
            },
            time);
    inFlight.add(attempt);
    attempt.run();
    inFlight.remove(attempt);
    return new Capacity(targets, inFlight, 100, 5, () -> nodes, mostBytes);
  }

  private static RunAttempt attempt(Run run, Target target, TestClock time) {
    return new RunAttempt(run, new Owner(UUID.randomUUID(), 1), target, time, ended -> {});
  }

  private Capacity capacity(int concurrency) {
    return new Capacity(targets, inFlight, concurrency, 5, () -> nodes, Long.MAX_VALUE);
  }

  private void register(String label, int most) {
    targets.add(label, (context, done) -> {}, most);
  }
}
