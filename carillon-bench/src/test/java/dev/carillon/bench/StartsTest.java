package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StartsTest {
  private final Starts starts = new Starts(2);

  @Test
  void all_have_started_once_each_has() throws InterruptedException {
    started(0, 1);
    started(0, 2);

    assertThat(starts.started()).isEqualTo(1);
    assertThat(starts.complete()).isFalse();

    started(1, 1);

    assertThat(starts.complete()).isTrue();
  }

  @Test
  void a_second_start_is_a_double() {
    started(0, 1);
    started(0, 1);

    assertThat(starts.doubled()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_is_no_double() {
    started(0, 1);
    started(0, 2);

    assertThat(starts.doubled()).isZero();
  }

  private void started(int number, int attempt) {
    starts.started(number, Instant.EPOCH, attempt);
  }
}
