package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a loop starts, rests, wakes, fails and stops. */
@Timeout(30)
class LifecycleTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Semaphore turns = new Semaphore(0);

  private Loop loop(Step step) {
    return new Loop(EngineLoop.PLANNING, step, Instant::now, events::add);
  }

  private Loop counting(Duration rest) {
    return loop(
        now -> {
          turns.release();
          return rest;
        });
  }

  private void awaitTurns(int count) throws InterruptedException {
    assertThat(turns.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_loop_takes_a_turn_when_it_starts() throws Exception {
    try (Loop loop = counting(LONG)) {
      loop.start();
      awaitTurns(1);
    }
  }

  @Test
  void a_loop_takes_turns_until_it_is_closed() throws Exception {
    Loop loop = counting(Duration.ZERO);
    loop.start();
    awaitTurns(3);
    loop.close();
    turns.drainPermits();

    assertThat(turns.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
  }

  @Test
  void a_loop_that_rests_is_woken() throws Exception {
    try (Loop loop = counting(LONG)) {
      loop.start();
      awaitTurns(1);
      loop.wake();
      awaitTurns(1);
    }
  }

  @Test
  void a_wake_up_during_a_turn_is_kept_for_the_next() throws Exception {
    var inTurn = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    try (Loop loop =
        loop(
            now -> {
              turns.release();
              inTurn.countDown();
              awaitQuietly(goOn);
              return LONG;
            })) {
      loop.start();
      inTurn.await();
      loop.wake();
      goOn.countDown();

      awaitTurns(2);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void many_wake_ups_are_one() throws Exception {
    try (Loop loop = counting(LONG)) {
      for (int i = 0; i < 1_000; i++) {
        loop.wake();
      }
      loop.start();
      awaitTurns(2);

      assertThat(turns.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @Test
  void a_turn_that_throws_is_told_and_followed_by_others() throws Exception {
    try (Loop loop =
        loop(
            now -> {
              turns.release();
              throw new IllegalStateException("no rope");
            })) {
      loop.start();
      awaitTurns(2);
    }

    assertThat(events.get(0))
        .isInstanceOfSatisfying(
            Event.TurnFailed.class,
            failed -> {
              assertThat(failed.loop()).isEqualTo(EngineLoop.PLANNING);
              assertThat(failed.problem()).isEqualTo("java.lang.IllegalStateException: no rope");
              assertThat(failed.cause()).get().isInstanceOf(IllegalStateException.class);
            });
  }

  @Test
  void a_turn_is_told_with_how_long_it_took() throws Exception {
    try (Loop loop = counting(LONG)) {
      loop.start();
      awaitTurns(1);
    }

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            Event.Turned.class,
            turned -> {
              assertThat(turned.loop()).isEqualTo(EngineLoop.PLANNING);
              assertThat(turned.took()).isPositive();
            });
  }

  @Test
  void a_turn_that_throws_an_error_is_followed_by_others() throws Exception {
    try (Loop loop =
        loop(
            now -> {
              turns.release();
              throw new StackOverflowError();
            })) {
      loop.start();
      awaitTurns(2);
    }
  }

  @Test
  void a_listener_that_throws_an_error_does_not_end_a_loop() throws Exception {
    var told = new AtomicInteger();
    var publisher =
        new EventPublisher(
            List.of(
                event -> {
                  throw new AssertionError("no ear");
                },
                event -> told.incrementAndGet()));
    var loop =
        new Loop(
            EngineLoop.PLANNING,
            now -> {
              turns.release();
              throw new IllegalStateException("no rope");
            },
            Instant::now,
            publisher);
    try (loop) {
      loop.start();
      awaitTurns(2);
    }

    assertThat(told.get()).isPositive();
  }

  @Test
  void a_clock_that_fails_does_not_end_a_loop() throws Exception {
    var loop =
        new Loop(
            EngineLoop.PLANNING,
            now -> Duration.ZERO,
            () -> {
              turns.release();
              throw new IllegalStateException("no time");
            },
            events::add);
    try (loop) {
      loop.start();
      awaitTurns(3);
    }
  }

  @Test
  void closing_waits_for_the_turn_to_end() throws Exception {
    var inTurn = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Loop loop =
        loop(
            now -> {
              inTurn.countDown();
              awaitQuietly(goOn);
              return LONG;
            });
    loop.start();
    inTurn.await();
    var closing = new Thread(loop::close);
    closing.start();
    closing.join(50);
    assertThat(closing.isAlive()).isTrue();
    goOn.countDown();
    closing.join();

    assertThat(events).noneMatch(Event.TurnFailed.class::isInstance);
  }

  @Test
  void closing_twice_does_no_harm() throws Exception {
    Loop loop = counting(LONG);
    loop.start();
    awaitTurns(1);
    loop.close();
    loop.close();

    assertThat(turns.tryAcquire()).isFalse();
  }

  @Test
  void closing_before_the_start_does_no_harm() {
    Loop loop = counting(LONG);
    loop.close();

    assertThat(turns.tryAcquire()).isFalse();
  }

  @Test
  void starting_twice_is_refused() {
    try (Loop loop = counting(LONG)) {
      loop.start();

      assertThatThrownBy(loop::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "carillon-planning does not start twice, nor after it was closed; make another loop");
    }
  }

  @Test
  void starting_after_the_close_is_refused() {
    Loop loop = counting(LONG);
    loop.close();

    assertThatThrownBy(loop::start).isInstanceOf(IllegalStateException.class);
    assertThat(turns.tryAcquire()).isFalse();
  }

  @Test
  void a_turn_may_close_its_own_loop() throws Exception {
    var self = new AtomicReference<Loop>();
    Loop loop =
        loop(
            now -> {
              Objects.requireNonNull(self.get()).close();
              turns.release();
              return Duration.ZERO;
            });
    self.set(loop);
    loop.start();
    awaitTurns(1);
    loop.close();

    assertThat(turns.tryAcquire()).isFalse();
  }

  @Test
  void closing_from_many_threads_ends_for_all_of_them() throws Exception {
    Loop loop = counting(Duration.ZERO);
    loop.start();
    awaitTurns(1);
    var threads = new CopyOnWriteArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      var thread = new Thread(loop::close);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    turns.drainPermits();

    assertThat(turns.tryAcquire(50, TimeUnit.MILLISECONDS)).isFalse();
  }

  @Test
  void starting_and_closing_at_once_always_ends() {
    for (int i = 0; i < 200; i++) {
      Loop loop = counting(Duration.ZERO);
      loop.start();
      loop.close();
    }

    assertThat(events).noneMatch(Event.TurnFailed.class::isInstance);
  }

  @Test
  void a_turn_that_leaves_the_interrupt_flag_set_is_followed_by_others() throws Exception {
    try (Loop loop =
        loop(
            now -> {
              turns.release();
              Thread.currentThread().interrupt();
              return Duration.ofMillis(1);
            })) {
      loop.start();
      awaitTurns(3);
    }

    assertThat(events).noneMatch(Event.TurnFailed.class::isInstance);
  }

  @Test
  void an_exception_that_cannot_be_told_does_not_end_a_loop() throws Exception {
    var loop =
        new Loop(
            EngineLoop.PLANNING,
            now -> {
              turns.release();
              throw new IllegalStateException("no rope");
            },
            Instant::now,
            event -> {
              throw new OutOfMemoryError("as the test wanted");
            });
    try (loop) {
      loop.start();
      awaitTurns(3);
    }
  }

  /* Its first thread ends at once, as if it had been killed. */
  private Loop losingItsThread() {
    var made = new AtomicInteger();
    return new Loop(
        EngineLoop.PLANNING,
        now -> {
          turns.release();
          return LONG;
        },
        Instant::now,
        events::add,
        task -> made.incrementAndGet() == 1 ? new Thread(() -> {}) : new Thread(task));
  }

  @Test
  void a_loop_that_lost_its_thread_gets_another_and_that_is_told() throws Exception {
    var supervisor = new LoopSupervisor();
    try (Loop loop = losingItsThread()) {
      supervisor.add(EngineLoop.PLANNING, loop, LONG);
      loop.start();
      while (events.isEmpty()) {
        supervisor.run(Instant.now());
      }
      awaitTurns(1);
    }

    assertThat(events)
        .filteredOn(Event.TurnFailed.class::isInstance) // its new thread may have turned before
        .extracting(event -> ((Event.TurnFailed) event).problem())
        .containsExactly("its thread had ended; it has another now");
  }

  @Test
  void a_loop_that_was_closed_gets_no_other_thread() {
    Loop loop = losingItsThread();
    loop.start();
    loop.close();

    assertThat(loop.revive()).isFalse();
  }

  @Test
  void a_loop_that_hangs_in_its_turn_is_named_until_it_turns_again() throws Exception {
    var supervisor = new LoopSupervisor();
    var inTurn = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    try (Loop loop =
        loop(
            now -> {
              turns.release();
              inTurn.countDown();
              awaitQuietly(goOn);
              return LONG;
            })) {
      supervisor.add(EngineLoop.PLANNING, loop, Duration.ZERO);
      loop.start();
      inTurn.await();
      supervisor.run(Instant.now());
      assertThat(supervisor.reasons()).containsExactly("loop planning has not turned for 0 s");
      goOn.countDown();
      Await.until("another turn", () -> supervisor.reasons().isEmpty());
    }
  }
}
