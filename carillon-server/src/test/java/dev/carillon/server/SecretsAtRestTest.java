package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a target holds in confidence is nowhere in the database, in an answer or in the log. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class SecretsAtRestTest {
  private static final String KEY = "test:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  private static final String SECRET = "whsec_Y2FuYXJ5U2VjcmV0Q2FuYXJ5U2VjcmV0";
  private static final List<String> CANARIES =
      List.of("Y2FuYXJ5U2VjcmV0", "canaryHeader", "canaryQuery", "canaryStatus", "canaryUser");
  private static final String TARGET =
      """
      {"type": "http", "url": "http://127.0.0.1:9/in?key=canaryQuery", "secret": "%s",
       "statusUrl": "http://127.0.0.1:9/status?key=canaryStatus",
       "headers": {"Authorization": "Basic canaryHeader"}}
      """
          .formatted(SECRET);

  private final HttpClient client = HttpClient.newHttpClient();
  private final PostgresServer postgres;
  private final String name;
  @TempDir Path folder;

  SecretsAtRestTest(PostgresServer postgres) {
    this.postgres = postgres;
    this.name = postgres.createMigrated();
  }

  @Test
  void secrets_headers_and_queries_are_in_no_table_no_answer_and_no_log() throws Exception {
    var heard = new CopyOnWriteArrayList<String>();
    try (var log = new LogCapture()) {
      try (var server = started()) {
        String admin = server.token();
        listen(server, admin, heard);
        assertThat(server.send(admin, "PUT", "/api/v1/targets/hook", TARGET).statusCode())
            .isEqualTo(201);
        String refused =
            server
                .send(
                    admin,
                    "PUT",
                    "/api/v1/targets/user",
                    "{\"type\": \"http\", \"url\": \"https://canaryUser:x@hook.invalid/\"}")
                .body();
        heard.add(refused);
        assertThat(refused).contains("user and password");
        server.ask(
            "PUT",
            "/api/v1/schedules/bell",
            "{\"target\": \"hook\", \"timing\": {\"every\": \"PT1H\"}, \"retry\": {\"attempts\": 2, \"backoff\": \"PT0.1S\"}}");
        server.ask("POST", "/api/v1/schedules/bell/run", "{}");
        heard.add(server.ask("POST", "/api/v1/targets/hook/test", "{}").toString());
        Await.until(
            "a failed run",
            () ->
                !server
                    .ask("GET", "/api/v1/runs?schedule=bell&state=failed", "")
                    .at("/items")
                    .isEmpty());
        for (Map.Entry<String, String> caller : callers(server, admin).entrySet()) {
          heard.addAll(answers(server, caller.getValue(), caller.getKey().equals("admin")));
        }
        server.ask("DELETE", "/api/v1/schedules/bell", "");
        Await.until("events", () -> heard.stream().anyMatch(line -> line.contains("run.")));
      }
      heard.add(log.text());
    }
    assertThat(String.join("\n", heard)).doesNotContain(CANARIES.toArray(String[]::new));
    assertThat(findings()).isEmpty();
  }

  @Test
  void the_search_would_find_them() throws Exception {
    try (var server = started();
        var connection = postgres.dataSource(name).getConnection();
        var statement = connection.createStatement()) {
      server.send(server.token(), "PUT", "/api/v1/targets/hook", TARGET);
      statement.execute(
          "update carillon.target set settings = settings || '{\"x\": \"canaryHeader\"}'");
      statement.execute("update carillon.target set sealed = 'canaryQuery'::bytea");
    }
    assertThat(findings()).hasSize(2);
  }

  private Served started() {
    return Served.start(
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), name),
        folder,
        Map.of("allowed-hosts", "127.0.0.1", "request-log", "true"),
        Map.of("CARILLON_SECRET_KEY", KEY),
        line -> {});
  }

  private void listen(Served server, String token, List<String> heard) {
    var unused =
        client
            .sendAsync(
                HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/events"))
                    .header("Authorization", "Bearer " + token)
                    .build(),
                BodyHandlers.ofLines())
            .thenAcceptAsync(answer -> answer.body().forEach(heard::add));
  }

  private static Map<String, String> callers(Served server, String admin) throws Exception {
    var callers = new HashMap<String, String>();
    callers.put("admin", admin);
    for (String role : List.of("viewer", "operator", "editor")) {
      callers.put(
          role,
          server
              .ask(
                  "POST",
                  "/api/v1/tokens",
                  "{\"name\": \"%s\", \"roles\": [\"%s\"]}".formatted(role, role))
              .path("token")
              .asText());
    }
    return callers;
  }

  /* Those who may change a target see its URLs whole; nobody sees the rest. */
  private static List<String> answers(Served server, String token, boolean admin) throws Exception {
    var answers = new ArrayList<String>();
    for (String path :
        List.of(
            "/api/v1/targets",
            "/api/v1/targets/hook",
            "/api/v1/schedules",
            "/api/v1/schedules/bell",
            "/api/v1/schedules/bell/versions",
            "/api/v1/runs?schedule=bell",
            "/api/v1/dead",
            "/api/v1/audit",
            "/api/v1/nodes",
            "/health",
            "/metrics",
            "/openapi.json")) {
      String body = server.send(token, "GET", path, "").body();
      answers.add(
          admin ? body.replace("key=canaryQuery", "").replace("key=canaryStatus", "") : body);
    }
    answers.add(server.send(token, "PUT", "/api/v1/targets/hook?dryRun=true", TARGET).body());
    return answers;
  }

  /* Every column of every table, as text and, of bytes, as they are. */
  private List<String> findings() throws SQLException {
    var found = new ArrayList<String>();
    try (Connection connection = postgres.dataSource(name).getConnection()) {
      for (String[] column : columns(connection)) {
        try (var statement = connection.createStatement();
            ResultSet rows =
                statement.executeQuery(
                    "select %s from carillon.%s".formatted(column[1], column[0]))) {
          while (rows.next()) {
            byte[] bytes =
                column[2].equals("bytea")
                    ? rows.getBytes(1)
                    : rows.getString(1) == null
                        ? null
                        : rows.getString(1).getBytes(StandardCharsets.UTF_8);
            String text = bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
            if (CANARIES.stream().anyMatch(text::contains)) {
              found.add(column[0] + "." + column[1] + ": " + text);
            }
          }
        }
      }
    }
    return found;
  }

  private static List<String[]> columns(Connection connection) throws SQLException {
    var columns = new ArrayList<String[]>();
    try (var statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                select quote_ident(class.relname), quote_ident(attribute.attname), type.typname
                  from pg_catalog.pg_class as class
                  join pg_catalog.pg_attribute as attribute on attribute.attrelid = class.oid
                  join pg_catalog.pg_type as type on type.oid = attribute.atttypid
                 where class.relnamespace = 'carillon'::regnamespace
                   and class.relkind in ('r', 'p')
                   and attribute.attnum > 0
                   and not attribute.attisdropped
                """)) {
      while (rows.next()) {
        columns.add(new String[] {rows.getString(1), rows.getString(2), rows.getString(3)});
      }
    }
    assertThat(columns).hasSizeGreaterThan(100);
    return columns;
  }
}
