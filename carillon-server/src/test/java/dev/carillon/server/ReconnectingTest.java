package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.FaultProxy;
import dev.carillon.fixture.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes, each with a pool as a server has it, whose database goes away and comes back. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class ReconnectingTest {
  private static final Duration LEASE = Duration.ofSeconds(6);

  /* HikariCP by itself would wait for 5 s between two tries by then. */
  private static final Duration OUTAGE = LEASE.multipliedBy(3);

  /* To sign in and to join, on a machine that does other things as well. */
  private static final Duration MARGIN = Duration.ofSeconds(2);

  private final FaultProxy proxy;
  private final DatabaseUrl url;
  private final List<ConnectionPool> pools = new ArrayList<>();
  private final List<Carillon> nodes = new ArrayList<>();
  private final AtomicInteger failedTurns = new AtomicInteger();
  private final List<AtomicInteger> calls = new ArrayList<>();

  ReconnectingTest(PostgresServer postgres) {
    proxy = FaultProxy.before(postgres.port());
    url =
        new DatabaseUrl(
            "127.0.0.1:" + proxy.port(),
            postgres.createMigrated(),
            Map.of("sslmode", "disable"),
            Optional.of(postgres.user()),
            Optional.of(postgres.password()));
  }

  @AfterEach
  void close() {
    nodes.forEach(Carillon::close);
    pools.forEach(ConnectionPool::close);
    proxy.close();
  }

  @Test
  void after_an_outage_every_node_works_again_soon() {
    for (int i = 0; i < 3; i++) {
      start("node-" + i);
    }
    long cutAt = beAway();

    proxy.refuse(false);
    long backAt = System.nanoTime();
    Await.until(
        "all hold a lease", () -> nodes.stream().allMatch(node -> node.nodeProblems().isEmpty()));
    Duration took = Duration.ofNanos(System.nanoTime() - backAt);
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).runs().enqueue(RunDraft.of("node-" + i));
    }
    Await.until("all runs started", () -> calls.stream().allMatch(count -> count.get() == 1));

    assertThat(took).isLessThan(LEASE.dividedBy(3).plus(MARGIN));
    assertThat(attempts(cutAt, backAt)).hasSizeLessThan(300);
    assertThat(failedTurns).hasValueBetween(1, 1_000);
  }

  @Test
  void while_the_database_is_away_a_pool_tries_to_connect_several_times_per_lease() {
    start("node-0");
    long cutAt = beAway();
    List<Long> attempts = attempts(cutAt, System.nanoTime());

    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < attempts.size(); i++) {
      gaps.add(attempts.get(i) - attempts.get(i - 1));
    }
    assertThat(gaps).allSatisfy(gap -> assertThat(gap).isLessThan(LEASE.dividedBy(3).toNanos()));
    assertThat(attempts).hasSizeBetween(9, 100);
  }

  private long beAway() {
    proxy.refuse(true);
    proxy.cut();
    long cutAt = System.nanoTime();
    Await.until("the outage has lasted", () -> System.nanoTime() - cutAt > OUTAGE.toNanos());
    assertThat(nodes).noneMatch(node -> node.nodeProblems().isEmpty());
    return cutAt;
  }

  private List<Long> attempts(long from, long to) {
    return proxy.attempts().stream().filter(at -> at - from > 0 && at - to < 0).toList();
  }

  private void start(String name) {
    ConnectionPool pool = ConnectionPool.open(url);
    pools.add(pool);
    var count = new AtomicInteger();
    calls.add(count);
    nodes.add(
        Carillon.builder()
            .dataSource(pool.connections())
            .migrate(false)
            .nodeName(name)
            .lease(LEASE)
            .heartbeat(LEASE.dividedBy(3))
            .target(name, context -> count.incrementAndGet())
            .listener(
                event -> {
                  if (event instanceof Event.TurnFailed) {
                    failedTurns.incrementAndGet();
                  }
                })
            .build()
            .start());
  }
}
