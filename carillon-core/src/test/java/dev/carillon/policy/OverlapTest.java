package dev.carillon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverlapTest {
  @ParameterizedTest(name = "{0}: free {1}, busy {2}, busy with one waiting {3}, with two {4}")
  @CsvSource({
    "ALLOW, START, START, START, START",
    "SKIP, START, SKIP, SKIP, SKIP",
    "QUEUE, START, WAIT, WAIT, SKIP",
    "QUEUE_ONE, START, WAIT, SKIP, SKIP",
    "CANCEL_PREVIOUS, START, REPLACE, REPLACE, REPLACE"
  })
  void a_due_run_is_judged_by_who_is_unfinished_and_who_waits(
      Overlap.Rule rule,
      Overlap.Answer free,
      Overlap.Answer busy,
      Overlap.Answer oneWaits,
      Overlap.Answer twoWait) {
    var overlap = new Overlap(rule, rule == Overlap.Rule.QUEUE ? 2 : 0);

    assertThat(
            List.of(
                overlap.admit(false, 0),
                overlap.admit(true, 0),
                overlap.admit(true, 1),
                overlap.admit(true, 2)))
        .containsExactly(free, busy, oneWaits, twoWait);
  }

  @Test
  void all_rules_but_one_let_runs_go_one_at_a_time() {
    assertThat(List.of(Overlap.SKIP, Overlap.QUEUE, Overlap.QUEUE_ONE, Overlap.CANCEL_PREVIOUS))
        .allMatch(Overlap::exclusive);
    assertThat(Overlap.ALLOW.exclusive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001})
  void a_queue_without_bounds_is_refused(int cap) {
    assertThatThrownBy(() -> Overlap.queue(cap))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a queue holds from 1 to 10000 runs; was " + cap);
  }

  @Test
  void a_cap_without_a_queue_is_refused() {
    assertThatThrownBy(() -> new Overlap(Overlap.Rule.SKIP, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("only a queue has a cap; SKIP was given 3");
  }

  @Test
  void a_queue_may_be_as_short_as_one_and_as_long_as_the_longest() {
    assertThat(Overlap.queue(1).queueLimit()).isEqualTo(1);
    assertThat(Overlap.queue(Overlap.MAX_QUEUE).queueLimit()).isEqualTo(10_000);
  }
}
