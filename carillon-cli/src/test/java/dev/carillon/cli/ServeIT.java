package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program, from start to stop and through what goes wrong between. */
class ServeIT {
  private static final int EXIT_BY_SIGTERM = 143;

  @TempDir Path folder;

  @Test
  void a_server_with_its_own_postgres_holds_its_folder_and_leaves_no_process() throws Exception {
    Path data = folder.resolve("data");
    try (var first = serve(data)) {
      assertThat(first.get("/healthz").body()).isEqualTo("{\"status\":\"ok\"}");
      assertThat(first.get("/readyz").statusCode()).isEqualTo(200);

      var second = serve(data);
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.err())
          .singleElement()
          .asString()
          .startsWith("carillon: ")
          .contains("is in use by carillon serve", "process " + first.pid(), first.url());

      var postgres = postgresOf(first);
      assertThat(postgres).isNotEmpty();
      assertThat(first.terminate()).isEqualTo(EXIT_BY_SIGTERM);
      assertThat(first.out()).last().isEqualTo("Carillon stopped");
      assertThat(first.err()).noneMatch(line -> line.contains("WARN") || line.contains("ERROR"));
      // The last to go is what watches over PostgreSQL: it ends once it sees the program gone.
      for (ProcessHandle process : postgres) {
        process.onExit().get(10, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void a_killed_server_starts_again_on_the_data_it_left() throws Exception {
    Path data = folder.resolve("data");
    try (var killed = serve(data)) {
      killed.url();
      assertThat(killed.out()).anyMatch(line -> line.startsWith("migrating the schema"));
      killed.kill();
    }

    try (var again = serve(data)) {
      assertThat(again.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(again.out()).noneMatch(line -> line.startsWith("migrating"));
    }
  }

  @Test
  void two_servers_starting_at_once_on_an_empty_database_both_become_ready() throws Exception {
    try (var postgres = LocalPostgres.temporary()) {
      String url = urlOf(postgres);
      try (var one = Program.start("serve", "--port", "0", "--database-url", url);
          var two = Program.start("serve", "--port", "0", "--database-url", url)) {
        assertThat(one.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(two.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(one.out()).noneMatch(line -> line.contains(postgres.password()));
        assertThat(one.terminate()).isEqualTo(EXIT_BY_SIGTERM);
        assertThat(two.get("/readyz").statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void a_postgres_that_dies_is_restarted_and_the_server_goes_on() throws Exception {
    try (var server = serve(folder.resolve("data"))) {
      assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
      Files.readAllLines(folder.resolve("data/postgres/postmaster.pid")).stream()
          .limit(1)
          .forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly());

      await(() -> server.out().contains("PostgreSQL is running again"));
      await(() -> server.get("/readyz").statusCode() == 200);
      assertThat(server.out())
          .contains("PostgreSQL is not running: it ended by itself; restarting it");
      assertThat(server.get("/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void the_server_signs_in_to_its_own_postgres_as_no_superuser_and_takes_its_connections_at_once()
      throws Exception {
    try (var server = serve(folder.resolve("data"))) {
      assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
      var postgres = LocalPostgres.running(folder.resolve("data")).orElseThrow();
      try (Connection connection =
          DriverManager.getConnection(
              postgres.jdbcUrl(), postgres.owner().user(), postgres.owner().password())) {
        await(
            () ->
                ask(
                        connection,
                        "select count(*) from pg_stat_activity where usename = 'carillon_app'")
                    >= 10);
        assertThat(
                ask(
                    connection,
                    """
                    select count(*)
                      from pg_stat_activity
                      join pg_roles
                        on rolname = usename
                     where backend_type = 'client backend'
                       and (rolsuper or rolcreaterole or usename = 'carillon')
                    """))
            .isZero();
      }
    }
  }

  private static int ask(Connection connection, String query) throws Exception {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Test
  void a_port_in_use_is_told_before_any_data_is_made() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path data = folder.resolve("data");
      assertFails(
          "carillon: port %d of 127.0.0.1 is in use; stop what uses it, or choose another with"
                  .formatted(taken.getLocalPort())
              + " --port (0 takes any free one)",
          "--port",
          String.valueOf(taken.getLocalPort()),
          "--data",
          data.toString());
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void an_unreachable_database_is_told_with_its_address() throws Exception {
    assertFails(
        "carillon: cannot use the database at 127.0.0.1:1: connection refused; is PostgreSQL"
            + " running there?",
        "--port",
        "0",
        "--database-wait",
        "0s",
        "--database-url",
        "postgresql://ann:secret@127.0.0.1:1/x");
  }

  @Test
  void a_database_that_never_answers_is_told() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertFails(
          "carillon: cannot use the database at 127.0.0.1:%d: no answer within 5 s"
              .formatted(silent.getLocalPort()),
          "--port",
          "0",
          "--database-wait",
          "0s",
          "--database-url",
          "postgresql://ann@127.0.0.1:%d/x".formatted(silent.getLocalPort()));
    }
  }

  @Test
  void a_start_that_does_not_end_can_be_stopped() throws Exception {
    try (var postgres = LocalPostgres.temporary()) {
      String url = urlOf(postgres);
      try (Connection other =
              DriverManager.getConnection(
                  postgres.jdbcUrl("shared"), postgres.user(), postgres.password());
          var statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("select pg_advisory_xact_lock(x'636172696c6c6f6e'::bigint)");
        try (var server = Program.start("serve", "--port", "0", "--database-url", url)) {
          statement.execute(
              """
              do $$ begin
                while not exists (select from pg_locks where locktype = 'advisory' and not granted) loop
                  perform pg_sleep(0.05);
                end loop;
              end $$
              """);

          assertThat(server.terminate()).isEqualTo(EXIT_BY_SIGTERM);

          assertThat(server.out()).isEmpty();
          assertThat(server.err()).last().asString().startsWith("carillon: gave up waiting");
        }
      }
    }
  }

  @Test
  void a_second_server_on_the_same_port_and_data_says_who_holds_them() throws Exception {
    Path data = folder.resolve("data");
    try (var first = serve(data)) {
      String port = String.valueOf(URI.create(first.url()).getPort());

      var second = Program.start("serve", "--port", port, "--data", data.toString());

      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.err())
          .singleElement()
          .asString()
          .contains("is in use", "the data folder is in use by carillon serve", first.url());
    }
  }

  @Test
  void a_folder_that_cannot_be_made_is_told() throws IOException, InterruptedException {
    Path file = Files.createFile(folder.resolve("file"));
    var program = Program.start("serve", "--port", "0", "--data", file.resolve("data").toString());

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.err())
        .singleElement()
        .asString()
        .startsWith("carillon: data folder %s".formatted(file.resolve("data")));
  }

  @Test
  void a_folder_of_somebody_else_is_refused_and_left_alone() throws Exception {
    Path photo = Files.writeString(folder.resolve("photo.jpg"), "precious");
    var program = Program.start("serve", "--port", "0", "--data", folder.toString());

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.err()).singleElement().asString().contains("not Carillon's");
    assertThat(photo).hasContent("precious");
  }

  @Test
  void a_bad_url_is_refused_without_showing_it() throws Exception {
    var program = Program.start("serve", "--database-url", "mysql://ann:secret@db/x");

    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.err())
        .singleElement()
        .asString()
        .startsWith("carillon: --database-url: the database URL must look like postgresql://")
        .doesNotContain("secret");
  }

  @Test
  void help_comes_without_warnings() throws Exception {
    var program = Program.start("--help");

    assertThat(program.exitCode()).isZero();
    assertThat(program.out()).first().isEqualTo("Usage: carillon COMMAND [OPTIONS]");
    assertThat(program.err()).isEmpty();
  }

  private static void assertFails(String complaint, String... arguments) throws Exception {
    var words = new String[arguments.length + 1];
    words[0] = "serve";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    var program = Program.start(words);

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.err()).containsExactly(complaint);
  }

  private static Program serve(Path data) {
    return Program.start("serve", "--port", "0", "--data", data.toString());
  }

  private static List<ProcessHandle> postgresOf(Program program) {
    return ProcessHandle.of(program.pid()).orElseThrow().descendants().toList();
  }

  /** Return the URL of a new, empty database. */
  static String urlOf(LocalPostgres postgres) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(
                postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
        var statement = connection.createStatement()) {
      statement.execute("create database shared");
    }
    URI address = URI.create(postgres.jdbcUrl("shared").substring("jdbc:".length()));
    return "postgresql://%s:%s@%s%s"
        .formatted(postgres.user(), postgres.password(), address.getAuthority(), address.getPath());
  }
}
