package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that take connections and keep them for longer than the lease of their node. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class StarvationTest {
  private static final Duration HEARTBEAT = Duration.ofMillis(200);
  private static final int BEATS_OF_THREE_LEASES = 30;

  private final DataSource postgres;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Semaphore finished = new Semaphore(0);
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore beats = new Semaphore(0);
  private final CountDownLatch release = new CountDownLatch(1);

  StarvationTest(DataSource postgres) {
    this.postgres = postgres;
  }

  @BeforeEach
  void forget() {
    new Psql(postgres).execute("truncate carillon.run, carillon.history, carillon.node");
  }

  @AfterEach
  void let() {
    release.countDown();
  }

  private HikariDataSource pool(int size) {
    var settings = new HikariConfig();
    settings.setDataSource(
        postgres instanceof HikariDataSource own ? own.getDataSource() : postgres);
    settings.setMaximumPoolSize(size);
    settings.setMinimumIdle(0);
    settings.setConnectionTimeout(1_000);
    return new HikariDataSource(settings);
  }

  private CarillonBuilder builder(DataSource source) {
    return Carillon.builder()
        .dataSource(source)
        .poll(Duration.ofMillis(100))
        .heartbeat(HEARTBEAT)
        .lease(Duration.ofSeconds(2))
        .drain(Duration.ofSeconds(1))
        .transactionalTarget("ledger", (context, connection) -> work())
        .listener(
            event -> {
              events.add(event);
              if (event instanceof Event.Finished) {
                finished.release();
              } else if (event instanceof Event.Turned turned
                  && turned.loop() == EngineLoop.HEARTBEAT) {
                beats.release();
              }
            });
  }

  private void work() throws InterruptedException {
    begun.release();
    release.await();
  }

  private static void await(Semaphore semaphore, int count) throws InterruptedException {
    assertThat(semaphore.tryAcquire(count, 40, TimeUnit.SECONDS)).isTrue();
  }

  /* Turns rest for at most a tenth of a second; more than these many take longer than a lease. */
  private void awaitThreeLeases() throws InterruptedException {
    beats.drainPermits();
    await(beats, BEATS_OF_THREE_LEASES * 2);
  }

  private void assertNothingWasLost(Carillon carillon, List<RunId> ids) {
    assertThat(events).filteredOn(Event.NodeJoined.class::isInstance).hasSize(1);
    assertThat(ids)
        .allSatisfy(
            id -> {
              Run run = carillon.runs().get(id).orElseThrow();
              assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
              assertThat(run.attempt()).isEqualTo(1);
            });
  }

  @Test
  void many_slow_transactional_runs_leave_the_node_its_lease_and_their_ends() throws Exception {
    try (var pool = pool(10);
        Carillon carillon = builder(pool).build().start()) {
      List<RunId> ids = carillon.runs().enqueueAll(Collections.nCopies(60, RunDraft.of("ledger")));
      await(begun, 5);
      awaitThreeLeases();

      assertThat(
              new Psql(postgres).rows("select count(*) from carillon.run where state = 'running'"))
          .containsExactly("5");
      release.countDown();
      await(finished, 60);
      assertNothingWasLost(carillon, ids);
    }
  }

  @Test
  void handlers_that_take_all_connections_of_the_pool_leave_the_node_its_lease() throws Exception {
    try (var pool = pool(6);
        Carillon carillon = builder(pool).target("greedy", context -> grab(pool)).build().start()) {
      RunId id = carillon.runs().enqueue(RunDraft.of("greedy"));
      await(begun, 1);
      awaitThreeLeases();

      assertThat(events).filteredOn(Event.NodeJoined.class::isInstance).hasSize(1);
      release.countDown();
      await(finished, 1);
      assertNothingWasLost(carillon, List.of(id));
    }
  }

  private void grab(HikariDataSource pool) throws Exception {
    var taken = new ArrayList<Connection>();
    try {
      while (pool.getHikariPoolMXBean().getActiveConnections() < 6) {
        taken.add(pool.getConnection());
      }
      work();
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
  }

  @Test
  void more_transactional_runs_at_a_time_than_the_pool_can_spare_are_refused() {
    try (var pool = pool(10)) {
      assertThatThrownBy(() -> builder(pool).transactionalConcurrency(8).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "transactionalConcurrency must leave at least 3 of the pool's 10 connections to the scheduler; was 8");
    }
  }

  @Test
  void a_setting_says_how_many_transactional_runs_work_at_a_time() throws Exception {
    try (var pool = pool(10);
        Carillon carillon = builder(pool).transactionalConcurrency(2).build().start()) {
      carillon.runs().enqueueAll(Collections.nCopies(10, RunDraft.of("ledger")));
      await(begun, 2);
      beats.drainPermits();
      await(beats, 10);

      assertThat(begun.tryAcquire()).isFalse();
      release.countDown();
      await(finished, 10);
    }
  }
}
