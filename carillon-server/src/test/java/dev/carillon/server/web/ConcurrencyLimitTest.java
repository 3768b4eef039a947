package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConcurrencyLimitTest {
  private final ConcurrencyLimit limit = new ConcurrencyLimit(2);

  @Test
  void as_many_as_there_are_turns_work_at_once_and_all_in_the_end() throws Exception {
    var working = new AtomicInteger();
    var most = new AtomicInteger();
    var two = new CountDownLatch(2);
    var executor = Executors.newFixedThreadPool(8);
    try {
      var all =
          IntStream.range(0, 8)
              .mapToObj(
                  number ->
                      CompletableFuture.supplyAsync(
                          () ->
                              limit.take(
                                  () -> {
                                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                                    two.countDown();
                                    awaited(two);
                                    working.decrementAndGet();
                                    return number;
                                  }),
                          executor))
              .toList();

      assertThat(all.stream().map(CompletableFuture::join)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(most).hasValue(2);
    } finally {
      executor.shutdown();
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_turn_ends_also_when_the_work_fails() {
    for (int i = 0; i < 3; i++) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  limit.take(
                      () -> {
                        throw new IllegalStateException("broken");
                      }));
    }
  }
}
