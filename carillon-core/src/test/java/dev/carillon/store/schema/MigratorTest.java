package dev.carillon.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Unmigrated;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class MigratorTest {
  private static final Migration ONE =
      Migration.of("0001_bells.sql", "create table carillon.bell (id int); select 1;");
  private static final Migration TWO =
      Migration.of("0002_ropes.sql", "create table carillon.rope (id int);");

  @Test
  void every_file_of_the_folder_is_known() throws IOException, URISyntaxException {
    var folder = Objects.requireNonNull(Migration.class.getResource("migration")).toURI();
    try (var files = Files.list(Path.of(folder))) {
      assertThat(Migration.all())
          .extracting(Migration::name)
          .containsExactlyElementsOf(
              files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void an_empty_database_gets_all_migrations(@Unmigrated DataSource postgres) {
    MigrationResult migrationResult = migrator(postgres, ONE, TWO).migrate();

    assertThat(migrationResult.applied()).containsExactly("0001_bells.sql", "0002_ropes.sql");
    assertThat(migrationResult.from()).isZero();
    assertThat(migrationResult.to()).isEqualTo(2);
    assertThat(migrationResult.took()).isPositive();
    assertThat(migrationResult.notes()).isEmpty();
  }

  @Test
  void the_released_migrations_apply(@Unmigrated DataSource postgres) {
    var migrator = new Migrator(postgres, "1.0");

    assertThat(migrator.migrate().to()).isEqualTo(Migration.all().size());
    assertThat(migrator.problems(Duration.ofSeconds(10))).isEmpty();
  }

  @Test
  void what_is_missing_is_told_without_applying_it(@Unmigrated DataSource postgres) {
    migrator(postgres, ONE).migrate();

    assertThat(migrator(postgres, ONE, TWO).missing(Duration.ofSeconds(10)).names())
        .containsExactly("0002_ropes.sql");
    assertThat(migrator(postgres, ONE, TWO).migrate().from()).isEqualTo(1);
    assertThat(migrator(postgres, ONE, TWO).missing(Duration.ofSeconds(10)).names()).isEmpty();
  }

  @Test
  void a_migrated_database_is_left_as_it_is(@Unmigrated DataSource postgres) {
    migrator(postgres, ONE).migrate();

    MigrationResult again = migrator(postgres, ONE).migrate();

    assertThat(again.applied()).isEmpty();
    assertThat(again.from()).isEqualTo(1);
    assertThat(again.to()).isEqualTo(1);
  }

  @Test
  void ten_nodes_starting_at_once_apply_each_migration_once(@Unmigrated DataSource postgres)
      throws Exception {
    var slow =
        Migration.of("0001_slow.sql", "create table carillon.bell (id int); select pg_sleep(0.1)");
    var together = new CyclicBarrier(10);
    var nodes = new ArrayList<Callable<MigrationResult>>();
    for (int i = 0; i < 10; i++) {
      nodes.add(
          () -> {
            together.await();
            return migrator(postgres, slow, TWO).migrate();
          });
    }

    var threads = Executors.newFixedThreadPool(10);
    var applied = new ArrayList<String>();
    try {
      for (Future<MigrationResult> node : threads.invokeAll(nodes)) {
        assertThat(node.get().to()).isEqualTo(2);
        applied.addAll(node.get().applied());
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(applied).containsExactlyInAnyOrder("0001_slow.sql", "0002_ropes.sql");
  }

  @Test
  void a_strict_default_isolation_does_not_hide_what_others_applied(PostgresServer server)
      throws Exception {
    String name = server.createEmpty();
    server.execute(
        "alter database %s set default_transaction_isolation = 'serializable'".formatted(name));
    DataSource postgres = server.dataSource(name);
    var together = new CyclicBarrier(2);
    Callable<MigrationResult> node =
        () -> {
          together.await();
          return migrator(postgres, ONE, TWO).migrate();
        };

    var threads = Executors.newFixedThreadPool(2);
    try {
      for (Future<MigrationResult> done : threads.invokeAll(List.of(node, node))) {
        assertThat(done.get().to()).isEqualTo(2);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void a_failing_migration_is_named_and_leaves_nothing_behind(@Unmigrated DataSource postgres) {
    var broken =
        Migration.of(
            "0002_broken.sql", "create table carillon.rope (id int); select 1 / 0 from nowhere;");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> migrator(postgres, ONE, broken).migrate())
        .withMessage(
            "migration 0002_broken.sql: ERROR: relation \"nowhere\" does not exist (SQLSTATE"
                + " 42P01)");

    assertThat(tables(postgres)).containsExactly("bell", "migration");
    assertThat(migrator(postgres, ONE, TWO).migrate().applied()).containsExactly("0002_ropes.sql");
  }

  @Test
  void a_changed_file_is_refused(@Unmigrated DataSource postgres) {
    migrator(postgres, ONE).migrate();
    var changed = Migration.of("0001_bells.sql", "create table carillon.bell (id bigint);");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> migrator(postgres, changed, TWO).migrate())
        .withMessageStartingWith("migration 0001_bells.sql is not the file that was applied");

    assertThat(tables(postgres)).containsExactly("bell", "migration");
  }

  @Test
  void an_older_version_works_with_a_newer_schema_that_breaks_nothing(
      @Unmigrated DataSource postgres) {
    migrator(postgres, ONE, TWO).migrate();
    var older = migrator(postgres, ONE);

    assertThat(older.migrate().notes())
        .containsExactly(
            "the schema is newer than Carillon 1.0, which can work with it: it also has"
                + " 0002_ropes.sql (by Carillon 1.0)");
    assertThat(older.problems(Duration.ofSeconds(10))).isEmpty();
  }

  @Test
  void an_older_version_refuses_a_schema_that_breaks_it(@Unmigrated DataSource postgres) {
    migrator(postgres, ONE, Migration.of("0002_hush.sql", "-- breaking: bells are gone\n"))
        .migrate();
    var older = migrator(postgres, ONE);

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(older::migrate)
        .withMessageStartingWith("the schema is too new for Carillon 1.0: 0002_hush.sql");
    assertThat(older.problems(Duration.ofSeconds(10))).hasSize(1);
  }

  @Test
  void a_schema_that_lacks_a_migration_is_a_problem(@Unmigrated DataSource postgres) {
    assertThat(migrator(postgres, ONE, TWO).problems(Duration.ofSeconds(10)))
        .containsExactly(
            "the schema is at 0, Carillon 1.0 needs 2: 0001_bells.sql is not applied yet");
  }

  @Test
  void a_role_that_may_not_create_schemas_is_told_the_cure(PostgresServer server) {
    String name = server.createEmpty();
    DataSource guest = guest(server, name);

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> migrator(guest, ONE).migrate())
        .withMessage(
            "role guest_%s may not create the schema carillon in database %s; as the database's"
                    .formatted(name, name)
                + " owner, run: create schema carillon authorization guest_"
                + name);
  }

  @Test
  void a_schema_made_for_the_role_is_enough(PostgresServer server) {
    String name = server.createEmpty();
    DataSource guest = guest(server, name);
    new Database(server.dataSource(name))
        .script("prepare", "create schema carillon authorization guest_" + name);

    assertThat(migrator(guest, ONE).migrate().to()).isEqualTo(1);
  }

  @Test
  void a_schema_without_rights_for_the_role_is_told_the_cure(PostgresServer server) {
    String name = server.createEmpty();
    DataSource guest = guest(server, name);
    new Database(server.dataSource(name)).script("prepare", "create schema carillon");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> migrator(guest, ONE).migrate())
        .withMessage(
            "role guest_%s may not create tables in schema carillon of database %s; as its owner,"
                    .formatted(name, name)
                + " run: grant usage, create on schema carillon to guest_"
                + name);
  }

  private static Migrator migrator(DataSource postgres, Migration... known) {
    return new Migrator(new Database(postgres), List.of(known), "1.0");
  }

  private static DataSource guest(PostgresServer server, String database) {
    server.execute("create role guest_%s login password 'guest'".formatted(database));
    return server.dataSource(database, "guest_" + database, "guest");
  }

  private static List<String> tables(DataSource postgres) {
    return new Database(postgres)
        .query(
            "list tables",
            "select tablename from pg_tables where schemaname = 'carillon' order by tablename",
            row -> row.text("tablename"));
  }
}
