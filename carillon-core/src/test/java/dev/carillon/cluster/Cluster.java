package dev.carillon.cluster;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.cluster.NodeProcess.Address;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Psql;
import dev.carillon.store.schema.Migrator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Nodes in processes of their own on one database, which has the tables of {@link Effects}. */
final class Cluster implements AutoCloseable {
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(60);

  private final Address address;
  private final Path logs;
  private final int concurrency;
  private final HikariDataSource pool;
  private final Psql psql;
  private final List<NodeProcess> nodes = new ArrayList<>();
  private int started;

  Cluster(String database, RestartablePostgres postgres, Path logs, int concurrency) {
    this.address = postgres.create(database);
    this.logs = folder(logs.resolve(database));
    this.concurrency = concurrency;
    var plain = new PGSimpleDataSource();
    plain.setURL(address.url());
    plain.setUser(address.user());
    plain.setPassword(address.password());
    this.psql = new Psql(plain);
    new Migrator(plain, "cluster").migrate();
    psql.execute(Effects.TABLES);
    var settings = new HikariConfig();
    settings.setDataSource(plain);
    settings.setMaximumPoolSize(4);
    settings.setMinimumIdle(0);
    settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    this.pool = new HikariDataSource(settings);
  }

  private static Path folder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Start {@code count} more nodes. */
  Cluster start(int count) {
    for (int i = 0; i < count; i++) {
      nodes.add(NodeProcess.start("node-" + ++started, address, concurrency, logs));
    }
    return this;
  }

  /** Return the nodes, those killed left out. */
  List<NodeProcess> nodes() {
    return List.copyOf(nodes);
  }

  /** Return connections; some may be broken when PostgreSQL was away a moment ago. */
  DataSource source() {
    return pool;
  }

  /** Look at the tables; fails while PostgreSQL is away. */
  Psql psql() {
    return psql;
  }

  /** Return the nodes that have joined, are alive and not frozen. */
  List<NodeProcess> working() {
    Set<String> joined = joined();
    return nodes.stream()
        .filter(node -> node.isAlive() && !node.isFrozen())
        .filter(node -> node.id().map(UUID::toString).filter(joined::contains).isPresent())
        .toList();
  }

  private Set<String> joined() {
    return psql.rows("select id from carillon.node where lease_until > clock_timestamp()").stream()
        .collect(Collectors.toSet());
  }

  Optional<NodeProcess> find(UUID id) {
    return nodes.stream().filter(node -> node.id().filter(id::equals).isPresent()).findFirst();
  }

  /** Kill a node, as a power failure would. */
  void kill(NodeProcess node) {
    node.kill();
    nodes.remove(node);
  }

  /** Return what the clock of the database says. */
  Instant now() {
    return Instant.parse(psql.rows("select clock_timestamp()").get(0));
  }

  /** Forget all schedules, runs and effects; there is nothing live. */
  void forget() {
    psql.execute(
        """
        truncate carillon.schedule, carillon.schedule_version, carillon.cursor, carillon.history,
                 carillon.decision, carillon.audit, carillon.lane, carillon.failure_streak, carillon.run_count,
                 carillon.run_count_delta, effect, ledger
        """);
  }

  /** Wait until all nodes have joined, and no others are known. */
  void awaitAllJoined() {
    BooleanSupplier joined =
        () ->
            working().size() == nodes.size()
                && psql.rows("select id from carillon.node").size() == nodes.size();
    if (!within(JOIN_TIMEOUT, joined)) {
      throw new AssertionError(
          "waited a minute for all nodes to join and the dead to be forgotten; known are %s, those that should be said last: %s"
              .formatted(
                  psql.rows("select name from carillon.node order by 1"),
                  nodes.stream().map(node -> node.name() + ": " + node.lastWords()).toList()));
    }
  }

  /** Wait until {@code done}, which may fail while PostgreSQL is away. */
  static void await(String what, BooleanSupplier done) {
    Await.until(what, () -> isDone(done));
  }

  static boolean within(Duration timeout, BooleanSupplier done) {
    return Await.within(timeout, () -> isDone(done));
  }

  private static boolean isDone(BooleanSupplier done) {
    try {
      return done.getAsBoolean();
    } catch (IllegalStateException postgresIsAway) {
      return false;
    }
  }

  @Override
  public void close() {
    nodes.forEach(NodeProcess::close);
    pool.close();
  }
}
