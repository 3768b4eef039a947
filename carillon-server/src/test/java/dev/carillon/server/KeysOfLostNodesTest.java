package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.FaultProxy;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.server.web.Request;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The key of a request is free again when the node that worked on it is lost. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class KeysOfLostNodesTest {
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final FaultProxy proxy;
  private final DataSource pool;
  private final Site one;
  private final Site other;
  private final Psql psql;
  private final Request run;

  KeysOfLostNodesTest(PostgresServer server) {
    String database = server.createMigrated();
    proxy = FaultProxy.before(server.port());
    pool = server.pool(database);
    one = new Site(proxy.dataSource(server, database), LEASE);
    other = new Site(pool, LEASE);
    psql = new Psql(pool);
    run = one.request("POST", "/schedules/s/run", "{}").header("Idempotency-Key", "k");
  }

  @BeforeEach
  void schedule() {
    one.put("/schedules/s", "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 3 * * *\"}}");
  }

  @AfterEach
  void close() {
    proxy.release();
    one.close();
    other.close();
    proxy.close();
  }

  private List<String> runs() {
    return psql.rows("select count(*) from carillon.run where trigger = 'manual'");
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private boolean isWaiting() {
    return !psql.rows(
            "select 1 from pg_stat_activity"
                + " where datname = current_database() and wait_event_type = 'Lock'")
        .isEmpty();
  }

  private static Answer whenAnswered(CompletableFuture<Answer> answer) throws Exception {
    return answer.get(60, TimeUnit.SECONDS);
  }

  /* The request is amid its transaction as long as another transaction has its schedule. */
  private CompletableFuture<Answer> begun() {
    CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> one.send(run));
    until(this::isWaiting);
    Answer meanwhile = other.send(run);
    assertThat(meanwhile.status()).as(meanwhile.text()).isEqualTo(409);
    assertThat(meanwhile.at("/type")).endsWith("request-under-way");
    assertThat(meanwhile.headers()).containsEntry("Retry-After", "1");
    return first;
  }

  private Connection locking() throws Exception {
    Connection holder = pool.getConnection();
    holder.setAutoCommit(false);
    try (var statement = holder.createStatement()) {
      statement.execute("select 1 from carillon.schedule where key = 's' for update");
    }
    return holder;
  }

  @Test
  void another_node_does_the_request_of_one_that_died_at_once() throws Exception {
    try (Connection holder = locking()) {
      CompletableFuture<Answer> first = begun();
      proxy.cut();
      assertThat(whenAnswered(first).status()).isEqualTo(503);
      holder.rollback();
    }
    until(() -> other.send(run).status() == 202);

    assertThat(runs()).containsExactly("1");
    assertThat(one.send(run).headers()).containsEntry("Idempotency-Replayed", "true");
    assertThat(runs()).containsExactly("1");
  }

  @Test
  void a_frozen_node_loses_the_request_with_its_lease_and_commits_nothing_later() throws Exception {
    CompletableFuture<Answer> first;
    try (Connection holder = locking()) {
      first = begun();
      proxy.hold();
      holder.rollback();
    }
    long begun = System.nanoTime();
    until(() -> other.send(run).status() == 202);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    assertThat(runs()).containsExactly("1");

    proxy.release();
    assertThat(whenAnswered(first).status()).isEqualTo(503);
    assertThat(runs()).containsExactly("1");
    assertThat(one.send(run).headers()).containsEntry("Idempotency-Replayed", "true");
  }
}
