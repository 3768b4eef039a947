package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Readiness readiness = new Readiness();

  @AfterEach
  void close() {
    readiness.close();
  }

  @Test
  void a_server_that_starts_says_so() {
    assertThat(readiness.reasonsAgainst()).containsExactly("starting");
  }

  @Test
  void the_check_is_asked_each_time() {
    var asked = new AtomicInteger();
    readiness.use(List::of, () -> List.of("asked " + asked.incrementAndGet()));

    assertThat(readiness.reasonsAgainst()).containsExactly("asked 1");
    assertThat(readiness.reasonsAgainst()).containsExactly("asked 2");
  }

  @Test
  void a_database_that_hangs_is_reported_after_a_second_and_asked_only_once() {
    var asked = new AtomicInteger();
    var answer = new CountDownLatch(1);
    readiness.use(
        List::of,
        () -> {
          asked.incrementAndGet();
          awaitQuietly(answer);
          return List.of();
        });

    assertThat(readiness.reasonsAgainst())
        .containsExactly("the database did not answer within 1 s");
    assertThat(readiness.reasonsAgainst())
        .containsExactly("the database did not answer within 1 s");
    assertThat(asked).hasValue(1);

    answer.countDown();
    assertThat(readiness.reasonsAgainst()).isEmpty();
  }

  @Test
  void a_check_that_fails_is_a_reason_in_one_line() {
    readiness.use(
        List::of,
        () -> {
          throw new IllegalStateException("no\nDetail: secret");
        });

    assertThat(readiness.reasonsAgainst()).containsExactly("the database cannot be asked: no");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
