package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.BarePool;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.FaultProxy;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Failure;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.target.Completion;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often a node waits for the database from when a run is due until it starts, and from when it
 * ends until that is recorded: counted on the wire, where nothing is hidden.
 */
@ExtendWith(EmbeddedPostgres.class)
class RoundTripsTest {
  private static final int MOST = 3;

  /* A pool that looks whether a connection that was idle still works has one of them. */
  private static final int MOST_WITHOUT_CHECK = MOST - 1;
  private static final String CHECK_IDLE_FOR = "com.zaxxer.hikari.aliveBypassWindowMs";

  private final PostgresServer server;
  private final String database;
  private final Belfry belfry;
  private final FaultProxy proxy;
  private final Deque<Consumer<Outcome>> held = new ArrayDeque<>();
  private AutoCloseable pool = () -> {};
  private int tripsAtStart;
  private int rung;

  RoundTripsTest(DataSource postgres, PostgresServer server) {
    this.server = server;
    this.database = new Psql(postgres).rows("select current_database()").get(0);
    this.belfry = new Belfry(postgres);
    this.proxy = FaultProxy.before(server.port());
  }

  @AfterEach
  void close() throws Exception {
    belfry.close();
    pool.close();
    proxy.close();
  }

  private enum Connected {
    WITHOUT_POOL,
    BY_HIKARI
  }

  private DataSource source(Connected how) {
    DataSource plain = proxy.dataSource(server, database);
    if (how == Connected.WITHOUT_POOL) {
      return plain;
    }
    System.setProperty(CHECK_IDLE_FOR, "0"); // as if each had been idle for half a second
    try {
      var settings = new HikariConfig();
      settings.setDataSource(plain);
      var hikari = new HikariDataSource(settings);
      pool = hikari;
      int size = settings.getMaximumPoolSize();
      Await.until( // it connects in the background
          "the pool is full", () -> hikari.getHikariPoolMXBean().getIdleConnections() == size);
      return hikari;
    } finally {
      System.clearProperty(CHECK_IDLE_FOR);
    }
  }

  private DataSource withoutChecks() {
    var bare = new BarePool(proxy.dataSource(server, database), 10);
    pool = bare;
    return bare.dataSource();
  }

  private ManualCarillon node(DataSource source) {
    return belfry.nodeOn(
        source,
        builder ->
            builder
                .asyncTarget(
                    "bell",
                    (context, done) -> {
                      started();
                      done.accept(Outcome.succeeded());
                    })
                .asyncTarget(
                    "broken",
                    (context, done) -> {
                      started();
                      done.accept(Outcome.failed(Failure.of("cracked", "no sound")));
                    })
                .asyncTarget(
                    "slow",
                    (context, done) -> {
                      started();
                      held.add(done);
                    })
                .asyncTarget(
                    "accepting",
                    (context, done) -> {
                      started();
                      done.accept(Outcome.accepted());
                    })
                .transactionalTarget("ledger", (context, connection) -> started())
                .remoteTarget("far"));
  }

  private void started() {
    tripsAtStart = proxy.roundTrips();
    rung++;
  }

  private static ScheduleDraft everySecond(String target) {
    return ScheduleDraft.named("every-second").target(target).every(Duration.ofSeconds(1));
  }

  /** Return the round trips of a turn of claiming until its run starts. */
  private int untilStart(ManualCarillon node) {
    int before = proxy.roundTrips();
    int rungBefore = rung;
    node.turn(EngineLoop.CLAIMING);
    assertThat(rung).isEqualTo(rungBefore + 1);
    return tripsAtStart - before;
  }

  private int untilRecorded(ManualCarillon node) {
    int before = proxy.roundTrips();
    node.turn(EngineLoop.COMPLETION);
    return proxy.roundTrips() - before;
  }

  @ParameterizedTest
  @CsvSource({
    "WITHOUT_POOL, skip",
    "WITHOUT_POOL, allow",
    "BY_HIKARI, skip",
    "BY_HIKARI, allow",
    "BY_HIKARI, queue"
  })
  void a_run_of_a_schedule_starts_and_ends_within_three_round_trips(Connected how, String overlap) {
    ManualCarillon node = node(source(how));
    node.schedules()
        .create(
            everySecond("bell")
                .overlap(
                    switch (overlap) {
                      case "skip" -> Overlap.SKIP;
                      case "allow" -> Overlap.ALLOW;
                      default -> Overlap.QUEUE;
                    }));
    node.pass(Duration.ofSeconds(10)); // by then, the driver has prepared what it prepares
    belfry.clock().advance(Duration.ofSeconds(1));

    assertThat(untilStart(node)).as("from due to start").isLessThanOrEqualTo(MOST);
    assertThat(untilRecorded(node)).as("from end to recorded").isLessThanOrEqualTo(MOST);
    assertThat(
            belfry.psql().rows("select count(*) from carillon.history where state = 'succeeded'"))
        .containsExactly(String.valueOf(rung));
  }

  @Test
  void a_run_that_was_just_enqueued_starts_and_ends_within_as_many() {
    ManualCarillon node = node(withoutChecks());
    for (int i = 0; i < 10; i++) {
      node.runs().enqueue(RunDraft.of("bell"));
      node.runDue();
    }
    node.runs().enqueue(RunDraft.of("bell"));

    assertThat(untilStart(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
    assertThat(untilRecorded(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
  }

  @Test
  void a_run_that_waits_for_another_of_its_schedule_starts_within_as_many_after_its_end() {
    ManualCarillon node = node(withoutChecks());
    node.schedules().create(everySecond("slow").overlap(Overlap.QUEUE));
    for (int i = 0; i < 10; i++) {
      node.pass(Duration.ofSeconds(1)); // the next is due and waits
      if (!held.isEmpty()) {
        held.remove().accept(Outcome.succeeded());
      }
      node.runDue();
    }
    node.pass(Duration.ofSeconds(2));
    held.remove().accept(Outcome.succeeded());

    assertThat(untilRecorded(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
    assertThat(untilStart(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void a_run_that_fails_ends_within_as_many(int attempts) {
    ManualCarillon node = node(withoutChecks());
    node.schedules()
        .create(
            everySecond("broken")
                .overlap(Overlap.QUEUE)
                .retry(Retry.times(attempts).backoff(Duration.ofSeconds(1)).factor(1)));
    node.pass(Duration.ofSeconds(10));
    belfry.clock().advance(Duration.ofSeconds(1));

    assertThat(untilStart(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
    assertThat(untilRecorded(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
  }

  @Test
  void a_run_that_is_accepted_elsewhere_starts_and_is_recorded_within_as_many() {
    ManualCarillon node = node(withoutChecks());
    node.schedules().create(everySecond("accepting").overlap(Overlap.ALLOW));
    node.pass(Duration.ofSeconds(10));
    belfry.clock().advance(Duration.ofSeconds(1));

    assertThat(untilStart(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
    assertThat(untilRecorded(node)).isLessThanOrEqualTo(MOST_WITHOUT_CHECK);
  }

  @Test
  void a_transactional_run_starts_and_ends_within_three() {
    ManualCarillon node = node(withoutChecks());
    node.schedules().create(everySecond("ledger"));
    node.pass(Duration.ofSeconds(10));
    belfry.clock().advance(Duration.ofSeconds(1));

    assertThat(untilStart(node)).as("from due to start").isLessThanOrEqualTo(MOST);
    int committed = proxy.roundTrips() - tripsAtStart; // in the turn that called it
    assertThat(committed + untilRecorded(node))
        .as("from end to recorded")
        .isLessThanOrEqualTo(MOST);
    assertThat(
            belfry.psql().rows("select count(*) from carillon.history where state = 'succeeded'"))
        .containsExactly(String.valueOf(rung));
  }

  @Test
  void a_worker_gets_and_ends_a_run_within_three() {
    ManualCarillon node = node(withoutChecks());
    for (int i = 0; i < 10; i++) {
      node.runs().enqueue(RunDraft.of("far"));
      work(node);
    }
    node.runs().enqueue(RunDraft.of("far"));
    int before = proxy.roundTrips();
    List<LeasedRun> leased = claim(node);
    int claimed = proxy.roundTrips();
    assertThat(leased).hasSize(1);
    complete(node, leased);

    assertThat(claimed - before).as("from due to start").isLessThanOrEqualTo(MOST);
    assertThat(proxy.roundTrips() - claimed).as("from end to recorded").isLessThanOrEqualTo(MOST);
  }

  private static void work(ManualCarillon node) {
    complete(node, claim(node));
  }

  private static List<LeasedRun> claim(ManualCarillon node) {
    return node.carillon().pullWorkers().claim("python", List.of("far"), 1, Duration.ofMinutes(1));
  }

  private static void complete(ManualCarillon node, List<LeasedRun> leased) {
    node.carillon()
        .pullWorkers()
        .complete(
            leased.stream().map(one -> new Completion(one.lease(), Outcome.succeeded())).toList());
  }
}
