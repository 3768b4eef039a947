package dev.carillon.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Pgbouncer;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What {@code carillon doctor} finds about a database, reached in one way or another. */
@ExtendWith(EmbeddedPostgres.class)
class DatabaseChecksTest {
  @TempDir Path folder;
  private final PostgresServer postgres;
  private final String database;

  DatabaseChecksTest(PostgresServer postgres) {
    this.postgres = postgres;
    this.database = postgres.createMigrated();
  }

  private List<Finding> findings(int port, String parameters) {
    String url = "jdbc:postgresql://127.0.0.1:%s/%s%s".formatted(port, database, parameters);
    return new DatabaseChecks(InstantSource.system())
        .run(
            Map.of("database-url", url, "database-user", postgres.user()),
            Map.of("CARILLON_DATABASE_PASSWORD", postgres.password()),
            folder);
  }

  @Test
  void a_database_that_is_reached_directly_has_no_pooler() {
    assertThat(findings(postgres.port(), ""))
        .contains(Finding.ok("pooler", "none: nodes hear of new runs at once"))
        .noneMatch(Finding::isFailure);
  }

  @Test
  void a_pooler_is_told_of() {
    assumeTrue(Pgbouncer.isInstalled(), "skipped: pgbouncer is not installed");
    try (var pgbouncer = Pgbouncer.before(postgres.port(), postgres.user(), postgres.password())) {
      assertThat(findings(pgbouncer.port(), ""))
          .contains(
              Finding.ok(
                  "pooler",
                  "stands before PostgreSQL, as pgbouncer does: statements are not prepared, and nodes look for new runs once per poll instead of hearing of them"))
          .noneMatch(Finding::isFailure);
    }
  }

  @Test
  void simple_queries_are_a_failure_with_the_cure() {
    assertThat(findings(postgres.port(), "?preferQueryMode=simple"))
        .anyMatch(
            finding ->
                finding.isFailure()
                    && finding.said().startsWith("preferQueryMode=simple ")
                    && finding.said().contains("leave it out of the URL"));
  }
}
