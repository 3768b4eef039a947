package dev.carillon.cli.doctor;

import dev.carillon.Version;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.server.ConnectionPool;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.StartException;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.schema.Migrator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks a database directly: with its URL, or the one that a server on this machine started. */
final class DatabaseChecks {
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int READINGS = 5;

  private final InstantSource clock;
  private final List<Finding> findings = new ArrayList<>();

  DatabaseChecks(InstantSource clock) {
    this.clock = clock;
  }

  List<Finding> run(Map<String, String> flags, Map<String, String> environment, Path data) {
    Optional<DatabaseUrl> address;
    try {
      address = address(flags, environment, data);
    } catch (IllegalArgumentException e) {
      return List.of(
          Finding.fail("database", String.valueOf(e.getMessage()), "correct the database URL"));
    }
    if (address.isEmpty()) {
      return List.of(
          Finding.skip(
              "database",
              "no --database-url was given, and no PostgreSQL of Carillon's runs in " + data));
    }
    try (var pool = ConnectionPool.open(address.get())) {
      findings.add(Finding.ok("database", "lets us in: " + address.get()));
      var database = new Database(pool.connections());
      database.refuseUnfit();
      pooler(database);
      schema(new Migrator(pool.connections(), Version.current()));
      clock(new NodeStore(database));
    } catch (StartException e) {
      findings.add(
          Finding.fail(
              "database",
              String.valueOf(e.getMessage()),
              "check the URL, the account (CARILLON_DATABASE_USER, CARILLON_DATABASE_PASSWORD)"
                  + " and pg_hba.conf"));
    } catch (StoreException e) {
      findings.add(Finding.fail("database", String.valueOf(e.getMessage()), "see its log"));
    }
    return findings;
  }

  private static Optional<DatabaseUrl> address(
      Map<String, String> flags, Map<String, String> environment, Path data) {
    return ServerSettings.from(flags, environment)
        .database()
        .or(
            () ->
                LocalPostgres.running(data)
                    .map(
                        runningServer ->
                            DatabaseUrl.parse(runningServer.jdbcUrl())
                                .signingIn(
                                    Optional.of(runningServer.owner().user()),
                                    Optional.of(runningServer.owner().password()))));
  }

  private void schema(Migrator migrator) {
    List<String> problems = migrator.problems(RESPONSE_TIMEOUT);
    if (problems.isEmpty()) {
      findings.add(
          Finding.ok("schema", "is the one Carillon %s knows".formatted(Version.current())));
    } else {
      findings.add(
          Finding.fail(
              "schema",
              String.join("; ", problems),
              "run 'carillon migrate', or start a server of this version, which does it"));
    }
  }

  private void pooler(Database database) {
    findings.add(
        database.isBehindPooler()
            ? Finding.ok(
                "pooler",
                "stands before PostgreSQL, as pgbouncer does: statements are not prepared, and nodes look for new runs once per poll instead of hearing of them")
            : Finding.ok("pooler", "none: nodes hear of new runs at once"));
  }

  private void clock(NodeStore nodes) {
    RemoteClock best = read(nodes);
    for (int i = 1; i < READINGS; i++) {
      RemoteClock next = read(nodes);
      best = took(next).compareTo(took(best)) < 0 ? next : best;
    }
    findings.add(best.judge("database clock", "the database"));
  }

  private RemoteClock read(NodeStore nodes) {
    Instant asked = clock.instant();
    Instant shown = nodes.clock();
    return new RemoteClock(asked, clock.instant(), shown, Duration.ZERO);
  }

  private static Duration took(RemoteClock reading) {
    return Duration.between(reading.asked(), reading.answered());
  }
}
