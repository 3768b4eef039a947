package dev.carillon.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Version;
import dev.carillon.cli.Answer;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.store.schema.OlderSchema;
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
    assertThat(done.out())
        .startsWith("applied 0001_schedules_and_runs.sql")
        .contains("went from 0 to");
    assertThat(migrate(database).out()).contains("is up to date, at ");
    assertThat(migrate(database, "--dry-run").out()).contains("is up to date");
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
