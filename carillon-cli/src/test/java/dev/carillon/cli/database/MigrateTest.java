package dev.carillon.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Version;
import dev.carillon.cli.Answer;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.store.schema.OlderSchema;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code carillon migrate} on real databases: empty, older, newer, and out of reach. */
@ExtendWith(EmbeddedPostgres.class)
class MigrateTest {
  private final PostgresServer postgres;

  MigrateTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void an_empty_database_gets_the_whole_schema_once() {
    String database = postgres.createEmpty();

    Answer dry = migrate(database, "--dry-run");
    assertThat(dry.code()).isEqualTo(6);
    assertThat(dry.out()).startsWith("would apply 0001_schedules_and_runs.sql\nwould apply 0002_");
    assertThat(dry.err()).contains("the schema of", "needs", "migrations");
    assertThat(migrate(database, "--dry-run")).isEqualTo(dry);

    Answer done = migrate(database);
    assertThat(done.code()).isZero();
    assertThat(done.out().lines().toList())
        .hasSizeGreaterThan(16)
        .allMatch(
            line ->
                line.matches("applied \\d{4}_[a-z_]+\\.sql in \\d+ ms")
                    || line.matches("the schema of .* went from 0 to \\d+ in \\d+ ms"));
    assertThat(done.out()).startsWith("applied 0001_schedules_and_runs.sql in ");
    assertThat(migrate(database).out()).matches("nothing to do, the schema of .* is at \\d+\n");
    assertThat(migrate(database, "--dry-run")).isEqualTo(migrate(database));
    assertThat(done.out() + done.err()).doesNotContain(postgres.password());
  }

  @Test
  void an_older_database_gets_only_what_is_missing() {
    String database = postgres.createEmpty();
    OlderSchema.migrate(postgres.dataSource(database), 2);

    Answer dry = migrate(database, "--dry-run");
    assertThat(dry.code()).isEqualTo(6);
    assertThat(dry.out()).startsWith("would apply 0003_").doesNotContain("0001_", "0002_");

    Answer done = migrate(database);
    assertThat(done.code()).isZero();
    assertThat(done.out()).startsWith("applied 0003_").contains("went from 2 to ");
  }

  @Test
  void what_was_applied_before_a_migration_that_fails_is_said() throws Exception {
    String database = postgres.createEmpty();
    OlderSchema.migrate(postgres.dataSource(database), 2);
    try (var connection = postgres.dataSource(database).getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create table carillon.dismissal (of_another_program text)");
    }

    Answer failed = migrate(database);
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.out().lines().map(line -> line.replaceAll("^(applied \\d{4}).*", "$1")))
        .startsWith("applied 0003", "applied 0004", "applied 0005", "applied 0006")
        .hasSize(5)
        .last()
        .asString()
        .matches("the schema of .* went from 2 to 6 in \\d+ ms");
    assertThat(failed.err()).contains("migration 0007_dismissed_dead_letters.sql", "dismissal");

    Answer again = migrate(database, "-o", "json");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.out()).isEmpty();
  }

  @Test
  void programs_get_the_same_as_values() throws Exception {
    String database = postgres.createEmpty();
    OlderSchema.migrate(postgres.dataSource(database), 2);

    Answer dry = migrate(database, "--dry-run", "-o", "json");
    assertThat(dry.code()).isEqualTo(6);
    JsonNode wanted = Json.read(dry.out());
    assertThat(wanted.path("dryRun").asBoolean()).isTrue();
    assertThat(wanted.path("from").asInt()).isEqualTo(2);
    assertThat(wanted.at("/missing/0/number").asInt()).isEqualTo(3);
    assertThat(wanted.at("/missing/0/name").asText()).startsWith("0003_");

    JsonNode done = Json.read(migrate(database, "-o", "json").out());
    assertThat(done.path("from").asInt()).isEqualTo(2);
    assertThat(done.path("to").asInt()).isEqualTo(wanted.path("to").asInt());
    assertThat(done.path("applied")).hasSameSizeAs(wanted.path("missing"));
    assertThat(Duration.parse(done.at("/applied/0/took").asText())).isPositive();
    assertThat(Duration.parse(done.path("took").asText())).isPositive();

    JsonNode again = Json.read(migrate(database, "-o", "json").out());
    assertThat(again.path("applied")).isEmpty();
    assertThat(again.path("from")).isEqualTo(again.path("to"));
  }

  @Test
  void a_newer_database_is_left_alone_and_named_as_such() throws Exception {
    String database = postgres.createMigrated();
    try (var connection = postgres.dataSource(database).getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          insert into carillon.migration (number, name, checksum, breaking, applied_at, applied_by)
          select max(number) + 1, '9999_later.sql', 'x', true, now(), '99.0'
            from carillon.migration
          """);
    }

    Answer refused = migrate(database);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "the schema is too new for Carillon " + Version.current(),
            "9999_later.sql (by Carillon 99.0)",
            "run that version or a later one");
    assertThat(migrate(database, "--dry-run")).isEqualTo(refused);
  }

  @Test
  void a_database_out_of_reach_has_an_exit_code_of_its_own() {
    Answer nobody = Answer.to("migrate", "--database-url", "postgresql://x@127.0.0.1:1/carillon");
    assertThat(nobody.code()).isEqualTo(7);
    assertThat(nobody.err())
        .isEqualTo(
            "carillon: cannot use the database at 127.0.0.1:1: connection refused; is PostgreSQL"
                + " running there?\n");

    Answer none = migrate("no_such_database");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("there is no database 'no_such_database'");
    assertThat(Answer.to("migrate", "--database-url", "soon").code()).isEqualTo(2);
  }

  private Answer migrate(String database, String... more) {
    String url =
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), database);
    var words = new String[more.length + 3];
    words[0] = "migrate";
    words[1] = "--database-url";
    words[2] = url;
    System.arraycopy(more, 0, words, 3, more.length);
    return Answer.to(words);
  }
}
