package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.Carillon;
import dev.carillon.Version;
import dev.carillon.fixture.BarePool;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Psql;
import dev.carillon.fixture.Unmigrated;
import dev.carillon.model.NodeInfo;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.schema.Migrator;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

@ExtendWith(EmbeddedPostgres.class)
class StartTest {
  @Test
  void a_node_has_joined_when_start_returns(DataSource postgres) {
    try (var carillon = Carillon.builder().dataSource(postgres).nodeName("north").build().start()) {
      assertThat(carillon.nodes()).extracting(NodeInfo::name).containsExactly("north");
    }
  }

  @Test
  void a_database_that_cannot_be_reached_fails_the_start() {
    var nowhere = new PGSimpleDataSource();
    nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nowhere");
    try (var carillon = Carillon.builder().dataSource(nowhere).build()) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(carillon::start)
          .withMessageStartingWith("connect: ");
    }
  }

  private static void refusesToStart(DataSource source, boolean migrating, String message) {
    try (var carillon = Carillon.builder().dataSource(source).migrate(migrating).build()) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(carillon::start)
          .withMessage(message);
    }
  }

  @Test
  void a_start_that_does_not_migrate_wants_a_schema(
      @Unmigrated DataSource empty, PostgresServer server) {
    String database = new Psql(empty).rows("select current_database()").get(0);

    refusesToStart(
        empty,
        false,
        "there is no schema of Carillon's in database "
            + database
            + "; run 'carillon migrate' as the owner of the schema, or start once with migrate(true)");
  }

  @Test
  void a_start_that_does_not_migrate_wants_the_schema_of_this_version(@Unmigrated DataSource old) {
    new Migrator(old, "old").migrate();
    var psql = new Psql(old);
    String last = psql.rows("select max(number) from carillon.migration").get(0);
    String name = psql.rows("select name from carillon.migration where number = " + last).get(0);
    psql.execute("delete from carillon.migration where number = " + last);

    refusesToStart(
        old,
        false,
        "the schema is at %s, Carillon %s needs %s: %s is not applied yet; run 'carillon migrate' as the owner of the schema, or start once with migrate(true)"
            .formatted(Integer.parseInt(last) - 1, Version.current(), last, name));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void simple_queries_are_refused(boolean migrating, DataSource postgres, PostgresServer server) {
    String database = new Psql(postgres).rows("select current_database()").get(0);
    var source = (PGSimpleDataSource) server.dataSource(database);
    source.setPreferQueryMode(PreferQueryMode.SIMPLE);

    refusesToStart(
        source,
        migrating,
        "preferQueryMode=simple sends values as text without their types, with which Carillon cannot work; leave it out of the URL, also behind pgbouncer, which Carillon notices by itself");
  }

  private static final String NEEDS_MORE =
      ", and a scheduler needs one to listen and others to work; give it a pool of at least six";

  @Test
  void a_pool_of_one_is_refused_at_once(DataSource postgres) {
    var settings = new HikariConfig();
    settings.setDataSource(postgres);
    settings.setMaximumPoolSize(1);
    try (var pool = new HikariDataSource(settings)) {
      refusesToStart(pool, true, "the pool has one connection" + NEEDS_MORE);
    }
  }

  @Test
  void a_pool_that_does_not_tell_its_size_is_tried(DataSource postgres) throws SQLException {
    try (var pool = new BarePool(postgres, 1)) {
      refusesToStart(
          pool.dataSource(),
          true,
          "the data source gave no second connection within 5 s while the first was in use"
              + NEEDS_MORE);
    }
  }

  @Test
  void a_pool_of_two_is_enough(DataSource postgres) throws SQLException {
    try (var pool = new BarePool(postgres, 2);
        var carillon = Carillon.builder().dataSource(pool.dataSource()).build().start()) {
      assertThat(carillon.nodes()).hasSize(1);
    }
  }
}
