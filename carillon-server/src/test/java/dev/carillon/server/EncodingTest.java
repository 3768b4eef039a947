package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every body that leaves a server is UTF-8, has its length and says what it is. */
@ExtendWith(EmbeddedPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class EncodingTest {
  private static final String PROBLEM = "application/problem+json";

  private final Running server;

  EncodingTest(PostgresServer postgres, @TempDir Path folder) {
    server = new Running(postgres, folder, Map.of());
  }

  @AfterAll
  void close() {
    server.close();
  }

  @Test
  void a_problem_keeps_what_is_not_ascii() throws IOException {
    RawReply unknown = talk("GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    RawReply refused =
        send("PUT", "/schedules/a", "{\"target\": \"né…\", \"timing\": {\"every\": \"PT1H\"}}");

    assertThat(told(unknown, 401)).contains("Authorization: Bearer …");
    assertThat(told(refused, 422)).contains("né…");
  }

  @Test
  void an_answer_keeps_what_is_not_ascii() throws IOException {
    String description = "caf\u00e9 … \ud83d\udd14";
    RawReply created =
        send(
            "PUT",
            "/schedules/caf%C3%A9",
            "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"description\": \"%s\"}"
                .formatted(description));

    assertThat(created.status()).isEqualTo(201);
    assertThat(checked(created)).contains(description);
    assertThat(checked(send("GET", "/schedules?q=caf%C3%A9", ""))).contains("café");
    assertThat(created.header("content-type")).isEqualTo("application/json");
  }

  @Test
  void metrics_keep_what_is_not_ascii() throws IOException {
    server.put("/targets/cloche-%C3%A9", "{\"type\": \"log\"}");
    send("POST", "/runs", "{\"target\": \"cloche-é\"}");
    String metrics;
    do {
      RawReply reply = talk(request("GET", "/metrics", ""));
      assertThat(reply.header("content-type")).contains("text/plain").contains("charset=utf-8");
      metrics = checked(reply);
    } while (!metrics.contains("target=\"cloche-é\""));
  }

  @Test
  void pages_about_problems_say_their_charset() throws IOException {
    RawReply page = talk(request("GET", "/docs/problems/unauthenticated", ""));

    assertThat(page.header("content-type")).isEqualTo("text/markdown; charset=utf-8");
    assertThat(checked(page)).contains("`unauthenticated` · HTTP 401");
  }

  @Test
  void head_has_the_length_that_get_would_have() throws IOException {
    RawReply get = talk("GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    RawReply head = talk("HEAD /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    assertThat(head.body()).isEmpty();
    assertThat(head.status()).isEqualTo(401);
    assertThat(head.header("content-length")).isEqualTo(get.header("content-length"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "é…\r\n\r\n",
        "GET\r\n\r\n",
        "GET /é… HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /%c3%a9%e2%80%a6 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /%e9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /healthz?%e9=é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
        "É / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: é…\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: é\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /api/v1/runs HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n",
        "POST /api/v1/runs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: é\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX-É…: é\r\nConnection: close\r\n\r\n",
      })
  void what_is_refused_before_a_route_sees_it_is_answered_with_a_problem(String request)
      throws IOException {
    RawReply reply = talk(request);

    told(reply, reply.status());
    assertThat(reply.status()).isBetween(400, 599).isNotEqualTo(500);
  }

  @Test
  void what_is_compressed_on_its_way_is_whole_as_well() throws IOException {
    String plain = request("GET", "/openapi.json", "");
    RawReply packed = talk(plain.replaceFirst("Host: x", "Host: x\r\nAccept-Encoding: gzip"));

    assertThat(packed.header("content-encoding")).isEqualTo("gzip");
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(unpacked.readAllBytes()).isEqualTo(talk(plain).body());
    }
  }

  @Test
  void headers_and_addresses_that_are_too_large_are_answered_with_a_problem() throws IOException {
    for (String request :
        List.of(
            "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + "é".repeat(10_000) + "\r\n\r\n",
            "GET /" + "é".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /?" + "%c3%a9".repeat(5_000) + " HTTP/1.1\r\nHost: x\r\n\r\n")) {
      RawReply reply = talk(request);

      told(reply, reply.status());
      assertThat(reply.status()).isIn(400, 414, 431);
    }
  }

  private RawReply send(String method, String path, String body) throws IOException {
    return talk(request(method, "/api/v1" + path, body));
  }

  private static String request(String method, String path, String body) {
    return """
        %s %s HTTP/1.1
        Host: x
        Connection: close
        Authorization: Bearer %s
        Content-Type: application/json
        Content-Length: %s

        %s"""
        .formatted(method, path, Running.TOKEN, body.getBytes(StandardCharsets.UTF_8).length, body)
        .replace("\n", "\r\n");
  }

  private RawReply talk(String request) throws IOException {
    return RawReply.to(URI.create(server.url()).getPort(), request);
  }

  private static String told(RawReply reply, int status) throws IOException {
    String text = checked(reply);
    assertThat(reply.header("content-type")).as(text).isEqualTo(PROBLEM);
    assertThat(Answer.parse(text).path("status").asInt()).isEqualTo(status);
    assertThat(reply.status()).isEqualTo(status);
    return text;
  }

  private static String checked(RawReply reply) throws IOException {
    assertThat(reply.header("content-length")).isEqualTo(String.valueOf(reply.body().length));
    return reply.text();
  }
}
