package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StartsTest {
  private final Starts starts = new Starts(2);

  @Test
  void all_have_started_once_each_has() throws InterruptedException {
    ring(0, 1);
    ring(0, 2);

    assertThat(starts.started()).isEqualTo(1);
    assertThat(starts.complete()).isFalse();

    ring(1, 1);

    assertThat(starts.complete()).isTrue();
  }

  @Test
  void a_second_start_is_a_double() {
    ring(0, 1);
    ring(0, 1);

    assertThat(starts.doubled()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_is_no_double() {
    ring(0, 1);
    ring(0, 2);

    assertThat(starts.doubled()).isZero();
  }

  private void ring(int number, int attempt) {
    starts.ring(number, Instant.EPOCH, attempt);
  }
}
