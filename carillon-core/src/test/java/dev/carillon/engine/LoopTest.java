package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.EngineLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger turns = new AtomicInteger();
  private final Loop loop =
      new Loop(EngineLoop.PLANNING, now -> turn(), InstantSource.system(), event -> {});

  private Duration turn() {
    turns.incrementAndGet();
    begun.countDown();
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Duration.ZERO;
  }

  @Test
  void whoever_tells_it_to_end_need_not_wait_for_its_last_turn() throws Exception {
    loop.start();
    begun.await();
    loop.end();
    mayEnd.countDown();
    loop.close();

    assertThat(turns).hasValue(1);
  }
}
