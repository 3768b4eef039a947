package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.Await;
import dev.carillon.postgres.LocalPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does on the first day, with the packaged program and nothing prepared. */
class FirstDayIT {
  private static final Path SOURCES = Path.of("../carillon-server/src/test/resources/sources");

  @TempDir Path folder;

  @Test
  void every_request_of_the_source_documents_is_answered_as_they_say() throws Exception {
    try (var server = serve()) {
      server.url();
      for (String document : List.of("registrar-requests.json", "cron-requests.json")) {
        var kept = new HashMap<String, String>();
        for (JsonNode step : Json.read(Files.readString(SOURCES.resolve(document)))) {
          String path = filled(step.path("path").asText(), kept);
          HttpResponse<String> reply = send(server, step.path("method").asText(), path, body(step));
          assertThat(reply.statusCode())
              .as("%s: %s", step.path("what"), reply.body())
              .isEqualTo(step.path("status").asInt());
          JsonNode answer = Json.read(reply.body().isEmpty() ? "{}" : reply.body());
          step.path("fields").forEach(field -> assertThat(answer.has(field.asText())).isTrue());
          step.path("keep")
              .properties()
              .forEach(one -> kept.put(one.getKey(), answer.at(one.getValue().asText()).asText()));
        }
      }
    }
  }

  @Test
  void a_webhook_fails_is_mended_and_its_dead_letters_are_driven_again() throws Exception {
    try (var endpoint = new Endpoint();
        var first = serve()) {
      first.url();
      Answer put = cli("target", "put", "hook", "--url", endpoint.url());
      assertThat(put.code()).as(put.err()).isZero();
      assertThat(put.out() + put.err()).contains("--allowed-hosts");
      ok("schedule", "create", "orders", "--target", "hook", "--every", "1h");
      for (int i = 1; i <= 5; i++) {
        int dead = i;
        ok("schedule", "run", "orders");
        Await.until("dead letter " + dead, () -> deadLetters().size() == dead);
      }
      assertThat(deadLetters().toString()).contains("--allowed-hosts");
      first.terminate();

      endpoint.answer();
      try (var second = serve("--allowed-hosts", "127.0.0.1")) {
        second.url();

        Answer asked = cli("dead", "redrive", "--schedule", "orders");
        assertThat(asked.code()).as("needs --yes off a terminal: %s", asked).isNotZero();
        assertThat(deadLetters()).hasSize(5);
        ok("dead", "redrive", "--schedule", "orders", "--yes");

        Await.until("five successes", () -> runs("orders", "succeeded") == 5);
        assertThat(deadLetters()).isEmpty();
        assertThat(runs("orders", "canceled") + runs("orders", "skipped")).isZero();
        assertThat(endpoint.calls()).hasSize(5);
      }
    }
  }

  @Test
  void past_days_are_filled_in_once_and_a_second_time_says_why_not() throws Exception {
    try (var server = serve()) {
      server.url();
      ok("schedule", "create", "nightly", "--target", "noop", "--cron", "0 2 * * *");
      Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
      String[] backfill = {
        "schedule",
        "backfill",
        "nightly",
        "--from",
        today.minus(5, ChronoUnit.DAYS).toString(),
        "--to",
        today.toString()
      };

      String made = ok(backfill).out();
      assertThat(made).contains("5 runs");
      Await.until("five runs", () -> runs("nightly", "succeeded") == 5);

      Answer again = ok(backfill);
      assertThat(again.out() + again.err()).contains("0 runs", "5").contains("succeeded");
      assertThat(runs("nightly", "succeeded")).isEqualTo(5);
    }
  }

  @Test
  void nothing_is_changed_for_a_variable_that_is_not_set() throws Exception {
    try (var server = serve()) {
      server.url();
      ok("schedule", "create", "precious", "--target", "noop", "--every", "1h");

      for (String command : List.of("delete", "resume", "run")) {
        Answer refused = cli("schedule", command, "-q", "");
        assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.err()).contains("-q");
      }
      assertThat(json("schedule", "get", "precious").path("status").asText()).isEqualTo("active");
    }
  }

  @Test
  void a_folder_is_applied_by_its_absolute_path_and_hidden_ones_are_left_alone() throws Exception {
    Path files = Files.createDirectories(folder.resolve("etc/schedules"));
    Files.writeString(files.resolve("a.yaml"), "key: a\ntarget: noop\ntiming: {every: PT1H}\n");
    Files.createDirectories(files.resolve(".git"));
    Files.writeString(files.resolve(".git/b.yaml"), "no: schedule\n");
    try (var server = serve()) {
      server.url();

      String applied =
          ok("schedule", "apply", "-f", files.toAbsolutePath().toString(), "--yes").out();

      assertThat(applied).contains("1 to create", "Applied.");
      assertThat(ok("schedule", "apply", "-f", files.toAbsolutePath().toString(), "--yes").out())
          .contains("1 unchanged");
    }
  }

  @Test
  void a_database_that_stops_is_told_and_comes_back() throws Exception {
    Path cluster = folder.resolve("cluster");
    var postgres = LocalPostgres.start(cluster, "a test", line -> {});
    int port = postgres.port();
    String url =
        "postgresql://%s:%s@127.0.0.1:%s/carillon"
            .formatted(postgres.user(), postgres.password(), port);
    try (var server = serve("--database-url", url)) {
      server.url();
      ok("schedule", "create", "tick", "--target", "noop", "--every", "1s");
      Await.until("a run", () -> runs("tick", "succeeded") > 0);
      assertThat(metrics(server)).contains("carillon_database_up 1");

      postgres.close();
      Await.until("the metric", () -> metrics(server).contains("carillon_database_up 0"));

      postgres = LocalPostgres.start(cluster, "a test", List.of("port=" + port), line -> {});
      Await.until("the metric again", () -> metrics(server).contains("carillon_database_up 1"));
      int before = runs("tick", "succeeded");
      Await.until("more runs", () -> runs("tick", "succeeded") > before);
      assertThat(server.err())
          .anyMatch(line -> line.contains("127.0.0.1:" + port))
          .anyMatch(line -> line.contains("back after"));
    } finally {
      postgres.close();
    }
  }

  @Test
  void everything_moves_to_another_postgres_with_two_commands_and_back() throws Exception {
    Path file = folder.resolve("carillon.backup");
    Set<String> runs;
    try (var server = serve();
        var other = LocalPostgres.temporary()) {
      server.url();
      ok("schedule", "create", "nightly", "--target", "noop", "--cron", "0 2 * * *");
      ok("schedule", "run", "nightly");
      Await.until("a run", () -> runs("nightly", "succeeded") == 1);
      ok("backup", file.toString());
      runs = ids();
      server.terminate();
      String url =
          "postgresql://%s:%s@127.0.0.1:%s/carillon"
              .formatted(other.user(), other.password(), other.port());

      Answer refused = cli("restore", file.toString());
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("the database is not empty");
      assertThat(ok("restore", file.toString(), "--database-url", url).out())
          .startsWith("restored ");
      try (var moved = serve("--database-url", url)) {
        moved.url();
        assertThat(ids()).containsAll(runs);
        assertThat(json("schedule", "get", "nightly").path("status").asText()).isEqualTo("active");
        ok("schedule", "run", "nightly");
        Await.until("another run", () -> runs("nightly", "succeeded") == 2);
        runs = ids();
        moved.terminate();
      }

      Path back = folder.resolve("back.backup");
      ok("backup", back.toString(), "--database-url", url);
      String fresh = folder.resolve("fresh/carillon-data").toString();
      ok("restore", back.toString(), "--data", fresh);
      try (var home = Program.start("serve", "--port", "0", "--data", fresh)) {
        home.url();
        var rest = new Rest(home.url(), Files.readString(Path.of(fresh, "admin-token")).strip());
        var found = new TreeSet<String>();
        rest.get("/runs?limit=500")
            .path("items")
            .forEach(one -> found.add(one.path("id").asText()));
        assertThat(found).containsAll(runs);
      }
    }
  }

  /* The one-time example of the document has passed meanwhile. */
  private static String body(JsonNode step) throws Exception {
    JsonNode body =
        step.has("bodyFrom")
            ? Json.read(Files.readString(SOURCES.resolve(step.path("bodyFrom").asText())))
            : step.path("body");
    return body.isMissingNode()
        ? ""
        : step.has("future") ? body.toString().replace("\"2026-", "\"2099-") : body.toString();
  }

  private static String filled(String text, Map<String, String> kept) {
    String filled = text;
    for (Map.Entry<String, String> one : kept.entrySet()) {
      filled = filled.replace("{" + one.getKey() + "}", one.getValue());
    }
    return filled;
  }

  private Program serve(String... more) {
    var words = new ArrayList<>(List.of("serve", "--port", "0", "--data", data()));
    words.addAll(List.of(more));
    return Program.start(words.toArray(String[]::new));
  }

  private String data() {
    return folder.resolve("carillon-data").toString();
  }

  private Answer cli(String... words) throws Exception {
    try (var program = Program.start(Map.of("CARILLON_DATA", data()), words)) {
      int code = program.exitCode();
      return new Answer(code, String.join("\n", program.out()), String.join("\n", program.err()));
    }
  }

  private Answer ok(String... words) throws Exception {
    Answer answer = cli(words);
    assertThat(answer.code()).as("%s: %s", List.of(words), answer).isZero();
    return answer;
  }

  private JsonNode json(String... words) throws Exception {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-o", "json"));
    return Json.read(ok(all.toArray(String[]::new)).out());
  }

  private Rest rest() throws Exception {
    Path data = Path.of(data());
    JsonNode notice = Json.read(Files.readString(data.resolve("server.json")));
    return new Rest(
        notice.path("url").asText(), Files.readString(data.resolve("admin-token")).strip());
  }

  private List<JsonNode> deadLetters() throws Exception {
    var letters = new ArrayList<JsonNode>();
    rest().get("/dead-letters").path("items").forEach(letters::add);
    return letters;
  }

  private int runs(String schedule, String state) throws Exception {
    return rest()
        .get("/runs?limit=500&schedule=%s&state=%s".formatted(schedule, state))
        .path("items")
        .size();
  }

  private Set<String> ids() throws Exception {
    var ids = new TreeSet<String>();
    rest().get("/runs?limit=500").path("items").forEach(run -> ids.add(run.path("id").asText()));
    return ids;
  }

  private String metrics(Program server) throws Exception {
    return send(server, "GET", "/metrics", "").body();
  }

  private HttpResponse<String> send(Program server, String method, String path, String body)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url() + path))
                .header(
                    "Authorization",
                    "Bearer " + Files.readString(Path.of(data(), "admin-token")).strip())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }
}
