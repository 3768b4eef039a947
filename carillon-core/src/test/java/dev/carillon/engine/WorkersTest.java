package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {
  @Test
  void no_more_run_at_a_time_than_they_may_and_all_have_their_turn() throws InterruptedException {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var done = new CountDownLatch(2_000);
    try (Workers workers = Workers.of(7)) {
      for (int i = 0; i < 2_000; i++) {
        workers.execute(
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              running.decrementAndGet();
              done.countDown();
            });
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(most.get()).isLessThanOrEqualTo(7);
  }

  @Test
  void what_one_throws_leaves_room_for_the_next() throws InterruptedException {
    var done = new Semaphore(0);
    try (Workers workers = Workers.of(1)) {
      for (int i = 0; i < 2; i++) {
        workers.execute(
            () -> {
              done.release();
              throw new Expected();
            });
      }
      assertThat(done.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void nothing_starts_after_they_are_closed() {
    Workers workers = Workers.of(2);
    workers.close();

    assertThatThrownBy(() -> workers.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  /* Without a stack trace: the thread's handler prints it. */
  private static final class Expected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Expected() {
      super("expected", null, false, false);
    }
  }
}
