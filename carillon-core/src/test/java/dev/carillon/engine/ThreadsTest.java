package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A scheduler with its own threads, on the database's own clock. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class ThreadsTest {
  private final DataSource postgres;
  private final Semaphore finished = new Semaphore(0);
  private final Semaphore failedTurns = new Semaphore(0);
  private final List<Event> events = new CopyOnWriteArrayList<>();

  ThreadsTest(DataSource postgres) {
    this.postgres = postgres;
  }

  private CarillonBuilder builder(DataSource source) {
    return Carillon.builder()
        .dataSource(source)
        .target("bell", context -> {})
        .listener(
            event -> {
              events.add(event);
              if (event instanceof Event.Finished) {
                finished.release();
              }
              if (event instanceof Event.TurnFailed) {
                failedTurns.release();
              }
            });
  }

  private void await(Semaphore semaphore, int count) throws InterruptedException {
    assertThat(semaphore.tryAcquire(count, 25, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void much_work_at_once_is_done() throws Exception {
    try (Carillon carillon = builder(postgres).build().start()) {
      List<RunId> ids =
          carillon
              .runs()
              .enqueueAll(IntStream.range(0, 200).mapToObj(i -> RunDraft.of("bell")).toList());
      await(finished, 200);

      assertThat(ids)
          .allSatisfy(
              id ->
                  assertThat(carillon.runs().get(id).orElseThrow().state())
                      .isEqualTo(RunState.SUCCEEDED));
    }
  }

  @Test
  void a_schedule_of_every_second_fires_every_second() throws Exception {
    try (Carillon carillon = builder(postgres).build().start()) {
      carillon
          .schedules()
          .create(ScheduleDraft.named("secondly").target("bell").every(Duration.ofSeconds(1)));
      await(finished, 3);
      carillon.schedules().retire("secondly");

      assertThat(carillon.runs().list(RunFilter.bySchedule("secondly").state(RunState.SUCCEEDED)))
          .hasSizeGreaterThanOrEqualTo(3)
          .allSatisfy(
              run ->
                  assertThat(run.lateness().orElseThrow()).isGreaterThanOrEqualTo(Duration.ZERO));
    }
  }

  @Test
  void work_enqueued_by_another_node_is_heard_of_before_the_next_poll() throws Exception {
    try (Carillon worker = builder(postgres).poll(Duration.ofSeconds(60)).build().start();
        Carillon asker =
            Carillon.builder()
                .dataSource(postgres)
                .remoteTarget("bell")
                .poll(Duration.ofSeconds(60))
                .build()) {
      worker.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
      asker.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
    }
  }

  @Test
  void a_cancellation_is_heard_of_before_the_next_poll() throws Exception {
    var running = new CountDownLatch(1);
    try (Carillon worker =
            builder(postgres)
                .target(
                    "patient",
                    context -> {
                      running.countDown();
                      new CountDownLatch(1).await();
                    })
                .poll(Duration.ofSeconds(60))
                .heartbeat(Duration.ofSeconds(30))
                .lease(Duration.ofSeconds(60))
                .build()
                .start();
        Carillon asker = Carillon.builder().dataSource(postgres).build()) {
      RunId id = worker.runs().enqueue(RunDraft.of("patient"));
      running.await();
      asker.runs().cancel(id, "not needed");
      await(finished, 1);

      assertThat(worker.runs().get(id).orElseThrow().state()).isEqualTo(RunState.CANCELED);
    }
  }

  @Test
  void without_notifications_nothing_but_speed_is_lost() throws Exception {
    DataSource deaf = new Wiretap(postgres).deaf().dataSource();
    try (Carillon worker = builder(deaf).poll(Duration.ofMillis(100)).build().start();
        Carillon asker = Carillon.builder().dataSource(deaf).remoteTarget("bell").build()) {
      asker.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
      assertThat(worker.nodes()).isNotEmpty();
    }
  }

  @Test
  void a_database_that_was_gone_for_a_while_is_used_again() throws Exception {
    var tap = new Wiretap(postgres);
    try (Carillon carillon =
        builder(tap.dataSource()).poll(Duration.ofMillis(100)).build().start()) {
      carillon.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
      tap.cut(true);
      await(failedTurns, 5);
      tap.cut(false);

      carillon.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
    }
  }

  @Test
  void work_that_ended_while_the_database_was_gone_is_recorded_afterwards() throws Exception {
    var tap = new Wiretap(postgres);
    var running = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    try (Carillon carillon =
        builder(tap.dataSource())
            .target(
                "patient",
                context -> {
                  running.countDown();
                  goOn.await();
                })
            .poll(Duration.ofMillis(100))
            .build()
            .start()) {
      RunId id = carillon.runs().enqueue(RunDraft.of("patient"));
      running.await();
      tap.cut(true);
      goOn.countDown();
      await(failedTurns, 5);
      tap.cut(false);
      await(finished, 1);

      assertThat(carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
      assertThat(carillon.runs().get(id).orElseThrow().attempt()).isEqualTo(1);
    }
  }

  @Test
  void a_pool_whose_connections_do_not_commit_by_themselves_will_do() throws Exception {
    var settings = new HikariConfig();
    settings.setDataSource(postgres);
    settings.setAutoCommit(false);
    settings.setMaximumPoolSize(8);
    settings.setMinimumIdle(0);
    try (var pool = new HikariDataSource(settings);
        Carillon carillon =
            builder(pool)
                .heartbeat(Duration.ofMillis(100))
                .lease(Duration.ofMillis(1_000))
                .build()
                .start()) {
      CountDownLatch seen = new CountDownLatch(1);
      carillon.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
      assertThat(seen.await(1_500, TimeUnit.MILLISECONDS)).isFalse();

      assertThat(events).filteredOn(Event.NodeJoined.class::isInstance).hasSize(1);
    }
  }

  @Test
  void closing_waits_for_running_work() throws Exception {
    var running = new CountDownLatch(1);
    RunId id;
    Carillon carillon =
        builder(postgres)
            .target(
                "brief",
                context -> {
                  running.countDown();
                  new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
                })
            .build()
            .start();
    id = carillon.runs().enqueue(RunDraft.of("brief"));
    running.await();
    carillon.close();

    assertThat(carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void work_that_outlasts_the_drain_is_interrupted_and_left_to_others() throws Exception {
    var running = new CountDownLatch(1);
    Carillon carillon =
        builder(postgres)
            .target(
                "patient",
                context -> {
                  running.countDown();
                  new CountDownLatch(1).await();
                })
            .drain(Duration.ofMillis(50))
            .build()
            .start();
    RunId id = carillon.runs().enqueue(RunDraft.of("patient"));
    running.await();
    carillon.close();

    assertThat(carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
    carillon.runs().cancel(id, "end of the test");
  }

  @Test
  void closing_leaves_the_cluster() {
    Carillon carillon = builder(postgres).build().start();
    carillon.close();

    assertThat(carillon.nodes()).extracting(node -> node.id()).doesNotContain(carillon.nodeId());
  }

  @Test
  void closing_twice_before_start_or_concurrently_does_no_harm() throws Exception {
    Carillon never = builder(postgres).build();
    never.close();
    never.close();
    Carillon carillon = builder(postgres).build().start();
    var threads = new CopyOnWriteArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      var thread = new Thread(carillon::close);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(carillon.nodes()).extracting(node -> node.id()).doesNotContain(carillon.nodeId());
  }

  @Test
  void closing_ends_all_threads() {
    Carillon carillon = builder(postgres).nodeName("threads").build().start();
    carillon.runs().enqueue(RunDraft.of("bell").retry(Retry.times(2)));
    carillon.close();

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(Thread::isAlive)
        .extracting(Thread::getName)
        .filteredOn(name -> name.startsWith("carillon-") && !name.startsWith("carillon-run-"))
        .isEmpty();
  }

  @Test
  void starting_twice_is_starting_once() throws Exception {
    try (Carillon carillon = builder(postgres).build().start()) {
      carillon.start();
      carillon.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);

      assertThat(events).filteredOn(Event.Finished.class::isInstance).hasSize(1);
    }
  }

  @Test
  void a_closed_scheduler_does_not_start_again() {
    Carillon carillon = builder(postgres).build().start();
    carillon.close();

    assertThatThrownBy(carillon::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a scheduler that was closed does not start again; build another");
  }

  @Test
  void a_start_that_failed_can_be_tried_again() throws Exception {
    var tap = new Wiretap(postgres);
    try (Carillon carillon = builder(tap.dataSource()).migrate(false).build()) {
      tap.cut(true);
      assertThatThrownBy(carillon::start)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the database cannot be reached");
      tap.cut(false);

      carillon.start();
      carillon.runs().enqueue(RunDraft.of("bell"));
      await(finished, 1);
    }
  }

  @Test
  void a_listener_may_close_the_scheduler() throws Exception {
    var closed = new CountDownLatch(1);
    var self = new AtomicReference<Carillon>();
    Carillon carillon =
        Carillon.builder()
            .dataSource(postgres)
            .target("bell", context -> {})
            .drain(Duration.ZERO)
            .listener(
                event -> {
                  if (event instanceof Event.Finished) {
                    Objects.requireNonNull(self.get()).close();
                    closed.countDown();
                  }
                })
            .build();
    self.set(carillon);
    carillon.start();
    carillon.runs().enqueue(RunDraft.of("bell"));

    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
