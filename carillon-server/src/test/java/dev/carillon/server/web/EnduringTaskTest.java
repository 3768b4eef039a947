package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EnduringTaskTest {
  @Test
  void a_repeated_task_goes_on_after_an_error() throws Exception {
    var turns = new CountDownLatch(3);
    var executor = Executors.newSingleThreadScheduledExecutor();
    try {
      var unused =
          executor.scheduleWithFixedDelay(
              new EnduringTask(
                  "ringing",
                  () -> {
                    turns.countDown();
                    throw new OutOfMemoryError("of a test");
                  }),
              0,
              1,
              TimeUnit.MILLISECONDS);

      assertThat(turns.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      executor.shutdownNow();
    }
  }
}
