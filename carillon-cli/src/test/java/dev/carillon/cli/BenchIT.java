package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.postgres.LocalPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program measuring, on a server of the user's and on its own. */
class BenchIT {
  private static final String[] SMALL = {"--runs=300", "--rate=20", "--seconds=1", "--idle=300"};
  private static final int EXIT_BY_SIGINT = 130;
  private static final int EXIT_BY_SIGTERM = 143;

  @SuppressWarnings("NullAway.Init") // before all
  private static LocalPostgres server;

  private final List<Program> started = new ArrayList<>();

  @TempDir Path folder;

  @BeforeAll
  static void start_a_server() throws SQLException {
    server = LocalPostgres.temporary();
    run("create role ann login createdb password 'secret'");
  }

  @AfterAll
  static void stop_it() {
    server.close();
  }

  @AfterEach
  void nothing_is_left_behind() throws SQLException {
    started.forEach(Program::close);
    assertThat(databases()).containsExactly("carillon", "postgres");
  }

  @Test
  void all_is_measured_on_the_server_of_the_user() throws Exception {
    var program = bench(SMALL);

    assertThat(program.exitCode()).as("%s", program.err()).isZero();
    assertThat(program.out())
        .anyMatch(line -> line.startsWith("drain   300 due runs"))
        .anyMatch(line -> line.startsWith("drift   20 schedules"))
        .anyMatch(line -> line.startsWith("growth  the same beside 300 idle schedules"))
        .anyMatch(line -> line.matches("  drain   (good|fair|poor)  .*"));
    assertThat(program.err())
        .contains("drain   warm-up: draining")
        .anyMatch(line -> line.startsWith("carillon: warning: fsync is off on this server"))
        .anyMatch(line -> line.startsWith("carillon: warning: synchronous_commit is off"));
    assertThat(texts("select nspname from pg_namespace where nspname = 'carillon'")).isEmpty();
  }

  @Test
  void an_embedded_postgres_is_durable_and_is_gone_afterwards() throws Exception {
    var program = start("bench", "drain", "--runs=300", "--json", "--data=" + folder);

    assertThat(program.exitCode()).as("%s", program.err()).isZero();
    JsonNode report = new ObjectMapper().readTree(String.join("\n", program.out()));
    assertThat(report.at("/drain/runs").asInt()).isEqualTo(300);
    assertThat(report.at("/drain/missing").asInt()).isZero();
    assertThat(report.at("/drain/walBytesPerRun").asDouble()).isPositive();
    assertThat(report.at("/ground/commitMillis").asDouble()).isPositive();
    assertThat(report.at("/ground/warnings").toString()).doesNotContain("is off");
    assertThat(report.has("drift")).isFalse();
    assertThat(contents(folder)).isEmpty();
  }

  @Test
  void the_address_and_the_account_may_come_from_the_environment() throws Exception {
    var program =
        start(
            Map.of(
                "CARILLON_DATABASE_URL", url(""),
                "CARILLON_DATABASE_USER", "ann",
                "CARILLON_DATABASE_PASSWORD", "secret"),
            "bench",
            "drift",
            "--rate=5",
            "--seconds=1");

    assertThat(program.exitCode()).as("%s", program.err()).isZero();
    assertThat(program.out()).anyMatch(line -> line.contains("PostgreSQL 18"));
  }

  @Test
  void a_role_that_may_not_create_databases_is_told_the_cure() throws Exception {
    run("create role \"Bob B\" login password 'secret'");

    var program = start("bench", "--database-url", url("Bob%20B:secret@"));

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.out()).isEmpty();
    assertThat(program.err())
        .last()
        .asString()
        .startsWith("carillon: role \"Bob B\" may not create databases at 127.0.0.1:")
        .contains("a superuser can allow it with: alter role \"Bob B\" createdb;");
  }

  @Test
  void a_bench_that_fails_drops_what_it_had_created() throws Exception {
    run("create role eve login createdb connection limit 1 password 'secret'");

    var program = start("bench", "--database-url", url("eve:secret@"));

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.err())
        .last()
        .asString()
        .startsWith("carillon: cannot use the database at 127.0.0.1:")
        .contains("too many connections for role \"eve\"");
  }

  @Test
  void an_interrupted_bench_drops_its_databases() throws Exception {
    var program = bench("drain", "--runs=2000000");
    program.awaitErr("draining");
    assertThat(databases()).anyMatch(name -> name.startsWith("carillon_bench_"));

    assertThat(program.interrupt()).isEqualTo(EXIT_BY_SIGINT);

    assertThat(program.err()).last().isEqualTo("carillon: stopped, and nothing is left behind");
    assertThat(program.out()).isEmpty();
  }

  @Test
  void a_bench_stopped_at_any_other_moment_drops_its_databases() throws Exception {
    for (String moment : List.of("timing round trips", "creating a database", "filling")) {
      var program = bench("drain", "--runs=2000000");
      program.awaitErr(moment);

      assertThat(program.terminate()).isEqualTo(EXIT_BY_SIGTERM);

      assertThat(program.err()).last().isEqualTo("carillon: stopped, and nothing is left behind");
      assertThat(databases()).containsExactly("carillon", "postgres");
    }
  }

  @Test
  void a_stopped_bench_with_its_own_postgres_leaves_no_folder() throws Exception {
    var program = start("bench", "drain", "--runs=2000000", "--data=" + folder);
    program.awaitErr("filling");

    assertThat(program.terminate()).isEqualTo(EXIT_BY_SIGTERM);

    assertThat(contents(folder)).isEmpty();
  }

  @Test
  void even_a_killed_bench_with_its_own_postgres_leaves_no_folder() throws Exception {
    var program = start("bench", "drain", "--runs=2000000", "--data=" + folder);
    program.awaitErr("filling");
    var postgres = ProcessHandle.of(program.pid()).orElseThrow().descendants().toList();

    program.kill();

    for (ProcessHandle process : postgres) {
      process.onExit().get(30, TimeUnit.SECONDS);
    }
    assertThat(contents(folder)).isEmpty();
  }

  @Test
  void what_a_killed_bench_left_is_told_and_left_alone() throws Exception {
    run("create database carillon_bench_0badcafe");
    try {
      var program = bench("drain", "--runs=10");

      assertThat(program.exitCode()).isZero();
      assertThat(program.err())
          .contains(
              "carillon: database carillon_bench_0badcafe seems left by a bench that was killed;"
                  + " drop it with: drop database carillon_bench_0badcafe;");
      assertThat(databases()).contains("carillon_bench_0badcafe");
    } finally {
      run("drop database carillon_bench_0badcafe");
    }
  }

  @Test
  void an_unreachable_server_is_told_with_its_address() throws Exception {
    var program = start("bench", "--database-url", "postgresql://ann@127.0.0.1:1/x");

    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.err())
        .containsExactly(
            "carillon: cannot use the database at 127.0.0.1:1: connection refused; is PostgreSQL"
                + " running there?");
  }

  private Program bench(String... arguments) {
    var words = new ArrayList<>(List.of("bench", "--database-url", url("ann:secret@")));
    words.addAll(List.of(arguments));
    return start(words.toArray(String[]::new));
  }

  private Program start(String... arguments) {
    return start(Map.of(), arguments);
  }

  private Program start(Map<String, String> environment, String... arguments) {
    var program = Program.start(environment, arguments);
    started.add(program);
    return program;
  }

  /* Patient, since a busy machine may take long to let anybody in. */
  private static String url(String account) {
    return "postgresql://%s127.0.0.1:%s/carillon?connect_timeout=60&loginTimeout=60"
        .formatted(account, server.port());
  }

  private static List<String> databases() throws SQLException {
    return texts("select datname from pg_database where not datistemplate order by datname");
  }

  private static List<String> texts(String sql) throws SQLException {
    try (Connection connection = superuser();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      var texts = new ArrayList<String>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  private static Connection superuser() throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = superuser();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<Path> contents(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
