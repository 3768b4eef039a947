package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Links that sign an administrator in, once and for ten minutes. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class SignInLinkServingTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final PostgresServer postgres;
  @TempDir Path folder;

  SignInLinkServingTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void the_first_start_on_a_terminal_shows_a_link_that_works_once_and_no_token() throws Exception {
    var progress = new ArrayList<String>();
    var settings =
        ServerSettings.from(
            Map.of(
                "port",
                "0",
                "data",
                folder.toString(),
                "database-url",
                Served.freshDatabase(postgres)),
            Map.of());
    try (var log = new LogCapture();
        var server = new Server(settings, progress::add, true)) {
      server.start();
      String token = Files.readString(folder.resolve("admin-token")).strip();
      String link = progress.get(progress.size() - 1).replaceFirst(".*: (?=http)", "");

      assertThat(progress).noneMatch(line -> line.contains(token));
      assertThat(progress)
          .contains("The admin token is in " + folder.resolve("admin-token").toAbsolutePath());
      assertThat(link).matches("http://127\\.0\\.0\\.1:\\d+/sign-in#[A-Za-z0-9_-]{43}");
      String code = link.substring(link.indexOf('#') + 1);
      HttpResponse<String> first = exchange(server.url(), code);
      assertThat(first.statusCode()).isEqualTo(201);
      JsonNode session = Answer.parse(first.body());
      assertThat(Instant.parse(session.path("expiresAt").asText()))
          .isBetween(
              Instant.now().plus(Duration.ofHours(11)), Instant.now().plus(Duration.ofHours(13)));
      assertThat(get(server.url(), "/api/v1/tokens", session.path("token").asText()).statusCode())
          .isEqualTo(200);
      HttpResponse<String> again = exchange(server.url(), code);
      assertThat(again.statusCode()).isEqualTo(401);
      assertThat(again.body()).contains("was used").doesNotContain(code);
      assertThat(log.text()).doesNotContain(code, token, session.path("token").asText());
    }
  }

  @Test
  void of_many_who_use_a_link_at_once_on_two_servers_one_gets_in() throws Exception {
    String database = Served.freshDatabase(postgres);
    try (var one = Served.start(database, folder.resolve("one"), Map.of());
        var two = Served.start(database, folder.resolve("two"), Map.of())) {
      String path = one.ask("POST", "/api/v1/sign-in-links", "").path("path").asText();
      String code = path.substring(path.indexOf('#') + 1);
      var threads = Executors.newFixedThreadPool(8);
      try {
        var codes = new ArrayList<Integer>();
        for (var answer :
            threads.invokeAll(
                IntStream.range(0, 16)
                    .mapToObj(
                        i ->
                            (Callable<Integer>)
                                () ->
                                    exchange(i % 2 == 0 ? one.url() : two.url(), code).statusCode())
                    .toList())) {
          codes.add(answer.get());
        }
        assertThat(codes).containsOnlyOnce(201).contains(401).containsOnly(201, 401);
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void guessing_is_limited_and_a_good_link_still_works() throws Exception {
    try (var server =
        Served.start(Served.freshDatabase(postgres), folder, Map.of("sign-in-failures", "3"))) {
      for (int i = 0; i < 20; i++) {
        assertThat(exchange(server.url(), "guess" + i).statusCode()).isEqualTo(i < 3 ? 401 : 429);
      }
      String path = server.ask("POST", "/api/v1/sign-in-links", "").path("path").asText();

      assertThat(exchange(server.url(), path.substring(path.indexOf('#') + 1)).statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void only_an_administrator_makes_links() throws Exception {
    try (var server = Served.start(Served.freshDatabase(postgres), folder, Map.of())) {
      for (String role : List.of("viewer", "operator", "editor")) {
        String token =
            server
                .ask(
                    "POST",
                    "/api/v1/tokens",
                    "{\"name\": \"x\", \"roles\": [\"%s\"]}".formatted(role))
                .path("token")
                .asText();
        assertThat(server.send(token, "POST", "/api/v1/sign-in-links", "").statusCode())
            .isEqualTo(403);
      }
    }
  }

  @Test
  void a_link_leads_to_the_console_under_any_prefix() throws Exception {
    try (var server = Served.start(Served.freshDatabase(postgres), folder, Map.of())) {
      HttpResponse<String> page = get(server.url(), "/sign-in", "");

      assertThat(page.statusCode()).isEqualTo(302);
      assertThat(page.headers().firstValue("Location")).hasValue("console/sign-in");
    }
  }

  private HttpResponse<String> exchange(String url, String code) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url + "/api/v1/sign-in"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"code\": \"%s\"}".formatted(code)))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String url, String path, String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
