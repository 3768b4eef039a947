package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.plan.Runs;
import dev.carillon.policy.Overlap;
import dev.carillon.store.run.Owner;
import dev.carillon.testing.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StartGateTest {
  private final List<RunAttempt> begun = new ArrayList<>();
  private final StartGate gate = new StartGate(2, begun::add);

  private static RunAttempt attempt() {
    return new RunAttempt(
        Runs.due(7, 0, Overlap.ALLOW),
        new Owner(UUID.randomUUID(), 1),
        (context, done) -> {},
        TestClock.at("2026-03-01T00:00:00Z"),
        ended -> {});
  }

  private RunAttempt entered() {
    RunAttempt attempt = attempt();
    gate.enter(attempt);
    return attempt;
  }

  @Test
  void no_more_begin_than_may_be_at_work() {
    RunAttempt first = entered();
    RunAttempt second = entered();
    entered();

    assertThat(begun).containsExactly(first, second);
  }

  @Test
  void the_first_in_line_begins_when_another_leaves() {
    RunAttempt first = entered();
    RunAttempt second = entered();
    RunAttempt third = entered();
    entered();
    gate.leave(first);

    assertThat(begun).containsExactly(first, second, third);
  }

  @Test
  void leaving_twice_makes_room_once() {
    RunAttempt first = entered();
    entered();
    entered();
    entered();
    gate.leave(first);
    gate.leave(first);

    assertThat(begun).hasSize(3);
  }

  @Test
  void what_is_over_while_it_waits_is_passed_over() {
    RunAttempt first = entered();
    RunAttempt second = entered();
    entered().withdraw();
    RunAttempt fourth = entered();
    gate.leave(first);

    assertThat(begun).containsExactly(first, second, fourth);
  }

  @Test
  void one_that_cannot_begin_leaves_its_place_to_the_next() {
    var broken = attempt();
    var picky =
        new StartGate(
            1,
            attempt -> {
              if (attempt == broken) {
                throw new IllegalStateException("cannot begin");
              }
              begun.add(attempt);
            });
    assertThatThrownBy(() -> picky.enter(broken)).hasMessage("cannot begin");
    RunAttempt next = attempt();
    picky.enter(next);

    assertThat(begun).containsExactly(next);
  }

  @Test
  void many_that_end_as_they_begin_do_not_fill_the_stack() {
    var counted = new ArrayList<RunAttempt>();
    var self = new StartGate[1];
    self[0] =
        new StartGate(
            1,
            attempt -> {
              counted.add(attempt);
              if (counted.size() > 1) {
                self[0].leave(attempt);
              }
            });
    RunAttempt first = attempt();
    self[0].enter(first);
    for (int i = 0; i < 50_000; i++) {
      self[0].enter(attempt());
    }
    self[0].leave(first);

    assertThat(counted).hasSize(50_001);
  }
}
