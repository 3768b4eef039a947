package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that go on after they were told to stop, on real threads, with time moved by hand. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class StubbornHandlersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final ExecutorService workers = RunExecutor.pool(2);
  private final Semaphore begun = new Semaphore(0);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Semaphore rung = new Semaphore(0);
  private final List<Engine> engine = new ArrayList<>();
  private final Carillon carillon;

  StubbornHandlersTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    carillon =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .claimAhead(Duration.ZERO)
            .concurrency(2)
            .target("stubborn", context -> persist())
            .target("bell", context -> rung.release())
            .buildManual(belfry.clock(), workers, engine::add)
            .start();
  }

  @AfterEach
  void close() {
    release.countDown();
    carillon.close();
    workers.shutdownNow();
    belfry.close();
  }

  private void persist() {
    begun.release();
    boolean released = false;
    while (!released) {
      try {
        release.await();
        released = true;
      } catch (InterruptedException ignored) {
        // As careless code would.
      }
    }
  }

  private void turn(EngineLoop... steps) {
    for (EngineLoop step : steps) {
      engine.get(0).turn(step);
    }
  }

  private RunState state(RunId id) {
    return carillon.runs().get(id).map(Run::state).orElseThrow();
  }

  /** Start two handlers that ignore that their time is over, until their runs have failed. */
  private List<RunId> abandoned() throws InterruptedException {
    var ids = new ArrayList<RunId>();
    for (int i = 0; i < 2; i++) {
      ids.add(carillon.runs().enqueue(RunDraft.of("stubborn").timeout(MINUTE)));
    }
    turn(
        EngineLoop.CLAIMING,
        EngineLoop.CLAIMING,
        EngineLoop.LAUNCHING); // one after the other: the bell has a share, too
    assertThat(begun.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
    engine.get(0).clockJumps().stayAlive(MINUTE.plusSeconds(60));
    belfry.clock().advance(MINUTE);
    turn(EngineLoop.TIMEOUTS);
    belfry.clock().advance(Duration.ofSeconds(5));
    turn(EngineLoop.TIMEOUTS, EngineLoop.COMPLETION);
    return ids;
  }

  @Test
  void a_handler_that_does_not_stop_in_time_has_failed_all_the_same() throws Exception {
    assertThat(abandoned()).extracting(this::state).containsOnly(RunState.FAILED);
  }

  @Test
  void no_run_is_claimed_that_no_thread_would_take() throws Exception {
    abandoned();
    RunId next = carillon.runs().enqueue(RunDraft.of("bell"));
    turn(EngineLoop.CLAIMING, EngineLoop.LAUNCHING);

    assertThat(state(next)).isEqualTo(RunState.PENDING);
  }

  @Test
  void handlers_that_do_not_stop_are_told_by_health_until_they_return() throws Exception {
    abandoned();
    assertThat(carillon.health().reasons()).isEmpty();
    belfry.clock().advance(Duration.ofSeconds(10));

    assertThat(carillon.health().reasons())
        .containsExactly(
            "stuck: 2 handlers do not stop though their runs are over, and keep their places");
    var room = new Semaphore(0);
    engine.get(0).wakeups().add(EngineLoop.CLAIMING, room::release);
    release.countDown();
    assertThat(room.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
    assertThat(carillon.health().reasons()).isEmpty();
  }

  @Test
  void a_loop_that_does_not_turn_is_told_by_health() {
    engine.get(0).health().watchedBy(() -> List.of("loop claiming has not turned for 61 s"));

    assertThat(carillon.health().reasons())
        .containsExactly("loop claiming has not turned for 61 s");
  }

  @Test
  void runs_are_claimed_again_when_the_handlers_have_returned() throws Exception {
    abandoned();
    RunId next = carillon.runs().enqueue(RunDraft.of("bell"));
    var room = new Semaphore(0);
    engine.get(0).wakeups().add(EngineLoop.CLAIMING, room::release);
    release.countDown();
    assertThat(room.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
    turn(EngineLoop.CLAIMING, EngineLoop.LAUNCHING);
    assertThat(rung.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    carillon.close();

    assertThat(state(next)).isNotEqualTo(RunState.FAILED);
  }

  @Test
  void the_time_of_a_run_that_no_thread_takes_is_over_some_day() {
    var idle = new ArrayList<Engine>();
    try (Carillon asleep =
        Carillon.builder()
            .dataSource(belfry.source())
            .migrate(false)
            .claimAhead(Duration.ZERO)
            .target("asleep", context -> {})
            .buildManual(belfry.clock(), task -> {}, idle::add)
            .start()) {
      RunId id = asleep.runs().enqueue(RunDraft.of("asleep").timeout(MINUTE));
      idle.get(0).turn(EngineLoop.CLAIMING);
      idle.get(0).clockJumps().stayAlive(MINUTE.plusSeconds(10));
      belfry.clock().advance(MINUTE.plusSeconds(5));
      idle.get(0).turn(EngineLoop.TIMEOUTS);
      idle.get(0).turn(EngineLoop.COMPLETION);

      Run run = asleep.runs().get(id).orElseThrow();
      assertThat(run.state()).isEqualTo(RunState.FAILED);
      assertThat(run.failure().orElseThrow())
          .isEqualTo(Failure.of("timeout", "was not started within PT1M"));
    }
  }
}
