package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.schema.OlderSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class ServerTest {
  private final PostgresServer postgres;
  private final List<String> progress = new ArrayList<>();
  private @TempDir Path folder;

  ServerTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void an_empty_database_is_migrated_and_the_server_becomes_ready() throws Exception {
    try (var server = server(postgres.createEmpty(), 0)) {
      server.start();

      assertThat(get(server, "/healthz").body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(progress.get(0)).matches("migrating the schema from 0 to \\d+ took \\d+ ms");
      assertThat(progress.get(1))
          .isEqualTo("The admin token is in " + folder.resolve("admin-token"));
      assertThat(progress).hasSize(2);
    }
  }

  @Test
  void what_was_applied_before_a_migration_that_fails_is_said() throws Exception {
    String database = postgres.createEmpty();
    OlderSchema.migrate(postgres.dataSource(database), 2);
    try (var connection = postgres.dataSource(database).getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create table carillon.dismissal (of_another_program text)");
    }

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(server(database, 0)::start)
        .withMessageContaining("migration 0007_dismissed_dead_letters.sql");
    assertThat(progress.stream().map(line -> line.replaceAll("^(applied \\d{4}).*", "$1")))
        .containsExactly("applied 0003", "applied 0004", "applied 0005", "applied 0006");
  }

  @Test
  void a_schema_that_lost_a_migration_is_not_ready() throws Exception {
    String database = postgres.createMigrated();
    try (var server = server(database, 0)) {
      server.start();
      try (var connection = postgres.dataSource(database).getConnection();
          var statement = connection.createStatement()) {
        statement.execute("delete from carillon.migration");
      }

      var reply = get(server, "/readyz");

      assertThat(reply.statusCode()).isEqualTo(503);
      assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(reply.body()).contains("\"reasons\":[\"the schema is at 0, Carillon ");
    }
  }

  @Test
  void a_database_that_refuses_connections_makes_the_server_unready_but_alive() throws Exception {
    String database = postgres.createMigrated();
    try (var server = server(database, 0)) {
      server.start();
      postgres.execute("alter database %s allow_connections false".formatted(database));
      postgres.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'"
              .formatted(database));

      assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
      assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);

      postgres.execute("alter database %s allow_connections true".formatted(database));
      HttpResponse<String> reply;
      do {
        reply = get(server, "/readyz");
      } while (reply.statusCode() == 503);
      assertThat(reply.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_port_in_use_is_reported_with_the_cure() {
    String database = postgres.createMigrated();
    try (var first = server(database, 0)) {
      first.start();
      int port = URI.create(first.url()).getPort();
      var second = server(database, port);

      assertThatExceptionOfType(StartException.class)
          .isThrownBy(second::start)
          .withMessage(
              "port %d of 127.0.0.1 is in use; stop what uses it, or choose another with --port (0 takes any free one)"
                  .formatted(port));
    }
  }

  @Test
  void a_start_that_fails_gives_the_port_back() {
    ListenSocket probe = ListenSocket.bind("127.0.0.1", 0);
    int port = probe.port();
    closeQuietly(probe);
    var server = server("no_such_database", port);

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(server::start)
        .withMessage(
            "there is no database 'no_such_database' at 127.0.0.1:%d; create it, or name another"
                .formatted(postgres.port()));

    closeQuietly(ListenSocket.bind("127.0.0.1", port));
  }

  @Test
  void a_wrong_password_is_reported_without_it() {
    postgres.execute("create role ringer login password 'right'");
    var server =
        new Server(
            settings(
                "postgresql://ringer:wrong-secret@127.0.0.1:%d/postgres".formatted(postgres.port()),
                0),
            progress::add);

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(server::start)
        .withMessage(
            "the database at 127.0.0.1:%d refused user 'ringer': the password is wrong or the user unknown"
                .formatted(postgres.port()))
        .satisfies(e -> assertThat(everythingIn(e)).doesNotContain("wrong-secret"));
  }

  @Test
  void an_unreachable_database_is_reported_with_its_address() {
    var server = new Server(settings("postgresql://ann:secret@127.0.0.1:1/x", 0), progress::add);

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(server::start)
        .withMessage(
            "cannot use the database at 127.0.0.1:1: connection refused; is PostgreSQL running there?")
        .satisfies(e -> assertThat(everythingIn(e)).doesNotContain("secret"));
  }

  @Test
  void a_closed_server_neither_answers_nor_minds_being_closed_again() {
    var server = server(postgres.createMigrated(), 0);
    server.start();
    String url = server.url();
    server.close();
    server.close();

    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(URI.create(url + "/healthz")).build(),
                        BodyHandlers.ofString()));
  }

  @Test
  void an_address_that_is_not_here_is_refused() {
    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> ListenSocket.bind("192.0.2.1", 0))
        .withMessageStartingWith("cannot listen on 192.0.2.1: ")
        .withMessageEndingWith("; --host must be an address of this machine");
  }

  private Server server(String database, int port) {
    return new Server(
        settings(
            "postgresql://%s:%s@127.0.0.1:%d/%s"
                .formatted(postgres.user(), postgres.password(), postgres.port(), database),
            port),
        progress::add);
  }

  private ServerSettings settings(String url, int port) {
    return ServerSettings.from(
        Map.of(
            "port",
            String.valueOf(port),
            "database-url",
            url,
            "database-wait",
            "0s",
            "data",
            folder.toString()),
        Map.of());
  }

  private static HttpResponse<String> get(Server server, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
            BodyHandlers.ofString());
  }

  private static String everythingIn(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static void closeQuietly(ListenSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
