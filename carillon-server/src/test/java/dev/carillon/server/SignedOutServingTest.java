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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait, of callers who are signed out meanwhile through another server. */
@ExtendWith(EmbeddedPostgres.class)
class SignedOutServingTest {
  private static final String ADMIN = "crl_signed_out_test_token_012345";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Served one;
  private final Served other;

  SignedOutServingTest(PostgresServer postgres, @TempDir Path folder) {
    String database = Served.freshDatabase(postgres);
    one = serve(database, folder.resolve("one"));
    other = serve(database, folder.resolve("other"));
  }

  private static Served serve(String database, Path folder) {
    return Served.start(
        database, folder, Map.of(), Map.of("CARILLON_ADMIN_TOKEN", ADMIN), line -> {});
  }

  @BeforeEach
  void define() throws Exception {
    ask("PUT", "/targets/press", "{\"type\": \"worker\"}");
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
  }

  private JsonNode ask(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = one.send(ADMIN, method, "/api/v1" + path, body);
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    return Answer.parse(answer.body());
  }

  private JsonNode token(String more) throws Exception {
    return ask("POST", "/tokens", "{\"name\": \"w\", \"roles\": [\"operator\"]%s}".formatted(more));
  }

  private HttpRequest.Builder request(String token, String path) {
    return HttpRequest.newBuilder(URI.create(other.url() + "/api/v1" + path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json");
  }

  private CompletableFuture<HttpResponse<String>> claim(String token) {
    String order = "{\"worker\": \"anna\", \"targets\": [\"press\"], \"wait\": \"PT20S\"}";
    return client.sendAsync(
        request(token, "/workers/claim").POST(BodyPublishers.ofString(order)).build(),
        BodyHandlers.ofString());
  }

  private void waitForWorker() throws Exception {
    while (ask("GET", "/workers", "").at("/items").isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_claim_that_waits_ends_when_its_token_is_revoked_on_another_server() throws Exception {
    JsonNode token = token("");
    CompletableFuture<HttpResponse<String>> waiting = claim(token.at("/token").asText());
    CompletableFuture<HttpResponse<String>> others = claim(ADMIN);
    waitForWorker();
    long revoked = System.nanoTime();
    ask("DELETE", "/tokens/" + token.at("/id").asText(), "");
    HttpResponse<String> answer = waiting.get(15, TimeUnit.SECONDS);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("was revoked, or has expired, while the claim waited");
    assertThat(Duration.ofNanos(System.nanoTime() - revoked)).isLessThan(Duration.ofSeconds(10));
    assertThat(others.isDone()).isFalse();
    ask("POST", "/runs", "{\"target\": \"press\"}");
    assertThat(Answer.parse(others.get(30, TimeUnit.SECONDS).body()).at("/runs")).hasSize(1);
  }

  @Test
  void a_claim_that_waits_ends_when_its_token_expires() throws Exception {
    JsonNode token = token(", \"expiresIn\": \"PT5S\"");
    HttpResponse<String> answer = claim(token.at("/token").asText()).get(18, TimeUnit.SECONDS);

    assertThat(answer.statusCode()).isEqualTo(401);
  }

  private BlockingQueue<String> events(String token) throws Exception {
    HttpResponse<Stream<String>> stream =
        client.send(request(token, "/events").GET().build(), BodyHandlers.ofLines());
    assertThat(stream.statusCode()).isEqualTo(200);
    var lines = new LinkedBlockingQueue<String>();
    var thread =
        new Thread(
            () -> {
              stream.body().forEach(lines::add);
              lines.add("end");
            });
    thread.setDaemon(true);
    thread.start();
    while (!next(lines).startsWith("id: ")) {
      Thread.onSpinWait();
    }
    return lines;
  }

  private static String next(BlockingQueue<String> lines) throws InterruptedException {
    String line = lines.poll(30, TimeUnit.SECONDS);
    assertThat(line).as("a line within 30 s").isNotNull();
    return String.valueOf(line);
  }

  @Test
  void a_stream_of_events_ends_when_its_token_is_revoked_on_another_server() throws Exception {
    JsonNode token = token("");
    BlockingQueue<String> lines = events(token.at("/token").asText());
    ask("DELETE", "/tokens/" + token.at("/id").asText(), "");

    long latest = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!next(lines).equals("end")) {
      assertThat(System.nanoTime()).as("the stream goes on").isLessThan(latest);
    }
  }

  private void schedule(String key, String target, String tag) throws Exception {
    ask(
        "PUT",
        "/schedules/" + key,
        "{\"target\": \"%s\", \"tags\": [\"%s\"], \"timing\": {\"every\": \"PT1H\"}}"
            .formatted(target, tag));
    ask("POST", "/schedules/%s/run".formatted(key), "{}");
  }

  @Test
  void a_stream_has_only_what_the_scope_of_its_caller_reaches() throws Exception {
    for (String scope :
        new String[] {
          "{\"targets\": [\"log\"]}", "{\"tags\": [\"mine\"]}", "{\"keys\": [\"in-\"]}"
        }) {
      String number = Integer.toHexString(scope.hashCode());
      BlockingQueue<String> lines = events(token(", \"scope\": " + scope).at("/token").asText());
      schedule("out-" + number, "noop", "theirs");
      ask("POST", "/runs", "{\"target\": \"noop\"}");
      schedule("in-" + number, "log", "mine");

      var heard = new StringBuilder();
      while (!heard.toString().contains("event: run.succeeded")) {
        heard.append(next(lines)).append('\n');
      }
      assertThat(heard.toString())
          .contains("schedule.created", "in-" + number)
          .doesNotContain("out-" + number, "noop");
    }
  }
}
