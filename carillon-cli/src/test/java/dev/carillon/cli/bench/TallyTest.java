package dev.carillon.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally tally = new Tally(2);

  @Test
  void a_run_counts_as_done_only_when_its_end_is_committed() {
    tally.ring(0, 1);

    assertThat(tally.done()).isZero();
    assertThat(tally.missing()).isEqualTo(2);
  }

  @Test
  void a_second_start_is_a_double() {
    tally.ring(0, 1);
    tally.ring(0, 1);

    assertThat(tally.doubled()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_is_no_double() {
    tally.ring(0, 1);
    tally.ring(0, 2);

    assertThat(tally.doubled()).isZero();
  }
}
