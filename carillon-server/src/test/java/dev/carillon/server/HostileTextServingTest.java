package dev.carillon.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.HostileGen;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.fixture.Property;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What clients sent, wherever it comes back: bodies, headers, events, metrics and the log. */
@ExtendWith(EmbeddedPostgres.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileTextServingTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
  private static final List<String> LISTS =
      List.of("/schedules", "/runs", "/dead-letters", "/targets", "/tokens", "/audit", "/nodes");

  private final HttpClient client = HttpClient.newHttpClient();
  private final LogCapture log = new LogCapture();
  private final Running server;

  HostileTextServingTest(PostgresServer postgres, @TempDir Path folder) {
    server = new Running(postgres, folder, Map.of("request-log", "true"));
  }

  @AfterAll
  void close() {
    server.close();
    log.close();
  }

  @Property(cases = 15)
  void what_is_sent_comes_back_harmless(HostileGen gen) throws Exception {
    String evil = gen.hostile();
    String address = "/schedules/" + URLEncoder.encode(evil, UTF_8).replace("+", "%20");
    ObjectNode schedule = schedule(gen);
    boolean stored = ok(ask("PUT", address, schedule)) < 300;
    if (!stored) {
      address = "/schedules/plain";
      ok(ask("PUT", address, schedule));
      ok(ask("PUT", address, storable(schedule)));
    }
    ok(ask("POST", address + "/pause", reason(gen)));
    ok(ask("POST", address + "/run", MAPPER.createObjectNode()));
    ok(ask("POST", "/runs", reason(gen).put("target", evil)));
    ok(ask("PUT", "/targets/" + URLEncoder.encode(evil, UTF_8), reason(gen).put("type", "log")));
    ok(ask("PUT", "/targets/bell", reason(gen).put("type", evil)));
    ok(ask("POST", "/tokens", reason(gen).put("name", evil).put("role", evil)));
    ok(ask("POST", "/timings/preview", reason(gen).put("cron", evil).put("zone", evil)));
    for (String list : LISTS) {
      ok(ask("GET", list, null));
      ok(ask("GET", list + "?q=" + URLEncoder.encode(evil, UTF_8), null));
      ok(ask("GET", list + "?" + URLEncoder.encode(evil, UTF_8) + "=1", null));
      ok(ask("GET", list + "/" + URLEncoder.encode(evil, UTF_8), null));
    }
    ok(ask("GET", address, null));
    harmless(send(request("/metrics").GET().build()));
    harmlessLog();
  }

  @Test
  void what_is_no_utf8_is_refused_and_not_repeated() throws Exception {
    for (String broken :
        List.of("%ff", "%c0%af", "%ed%a0%80", "%f8%80%80%80%80", "%00", "%0d%0a")) {
      assertThat(ok(ask("GET", "/schedules/" + broken, null))).isBetween(400, 499);
      assertThat(ok(ask("GET", "/schedules?q=" + broken, null))).isLessThan(500);
      assertThat(ok(ask("PUT", "/targets/" + broken, reason(new HostileGen(1)))))
          .isBetween(400, 499);
    }
    byte[] body = "{\"target\": \"x\u00ff\"}".getBytes(ISO_8859_1);
    HttpResponse<byte[]> reply =
        send(
            request("/api/v1/runs")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build());
    harmless(reply);
    assertThat(reply.statusCode()).isEqualTo(400);
    harmlessLog();
  }

  @Test
  void events_stay_in_their_lines() throws Exception {
    HttpResponse<InputStream> stream =
        client.send(request("/api/v1/events").GET().build(), BodyHandlers.ofInputStream());
    try (InputStream events = stream.body()) {
      ObjectNode evil = storable(schedule(new HostileGen(7)));
      evil.put("description", "x\ndata: forged\n\nevent: forged\r\n\u2028\u0085\u202e");
      ok(ask("PUT", "/schedules/rung", evil));
      ok(
          ask(
              "POST",
              "/schedules/rung/pause",
              MAPPER.createObjectNode().put("reason", "a\n\ndata: forged\u001b")));
      var text = new StringBuilder();
      while (!text.toString().contains("pause")) {
        int next = events.read();
        assertThat(next).isNotNegative();
        text.append((char) next);
      }
      assertThat(text.toString().lines())
          .allMatch(
              line ->
                  line.isEmpty()
                      || line.startsWith("id: ")
                      || line.startsWith("event: ")
                      || line.startsWith("data: {")
                      || line.startsWith(":"));
      assertThat(text.toString()).doesNotContain("\r", "\u001b", "event: forged");
    }
  }

  private static ObjectNode schedule(HostileGen gen) {
    ObjectNode schedule = MAPPER.createObjectNode();
    schedule.put("target", "noop").put("description", gen.hostile()).put("owner", gen.hostile());
    schedule.putObject("timing").put("every", "PT1H");
    schedule.putArray("tags").add(gen.hostile());
    schedule.putObject("payload").put(gen.hostile(), gen.hostile());
    return schedule;
  }

  /* What is refused for other reasons left out. */
  private static ObjectNode storable(ObjectNode schedule) {
    ObjectNode left = MAPPER.createObjectNode();
    left.put("target", "noop");
    left.set("timing", schedule.path("timing"));
    left.putObject("payload").put("a", "\u202e\u001b\u0085\u2028<script>\n\ufeff");
    return left;
  }

  private static ObjectNode reason(HostileGen gen) {
    return MAPPER.createObjectNode().put("reason", gen.hostile()).put(gen.hostile(), gen.hostile());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path))
        .header("Authorization", "Bearer " + Running.TOKEN);
  }

  private HttpResponse<byte[]> ask(String method, String path, @Nullable JsonNode body)
      throws Exception {
    var request = request("/api/v1" + path);
    return send(
        body == null
            ? request.method(method, BodyPublishers.noBody()).build()
            : request
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(MAPPER.writeValueAsString(body)))
                .build());
  }

  /* A connection is closed after some refusals, which the client notices when it uses it again. */
  private HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException closed) {
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }

  private static int ok(HttpResponse<byte[]> reply) throws Exception {
    harmless(reply);
    assertThat(reply.statusCode()).isLessThan(500);
    String type = reply.headers().firstValue("Content-Type").orElse("");
    if (reply.body().length > 0) {
      assertThat(type).isIn("application/json", "application/problem+json");
      MAPPER.readTree(reply.body());
    }
    if (reply.statusCode() >= 400) {
      assertThat(type).isEqualTo("application/problem+json");
    }
    return reply.statusCode();
  }

  private static void harmless(HttpResponse<byte[]> reply) throws Exception {
    String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(reply.body())).toString();
    int harmful = HostileGen.harmful(text);
    assertThat(harmful).as("%s: %s", reply.uri(), text).isEqualTo(-1);
    reply
        .headers()
        .map()
        .forEach(
            (name, values) ->
                assertThat(values)
                    .allMatch(value -> value.chars().allMatch(c -> c >= ' ' && c < 127)));
  }

  private void harmlessLog() {
    String text = log.text();
    assertThat(HostileGen.harmful(text)).as(text).isEqualTo(-1);
    assertThat(text).doesNotContain(Running.TOKEN);
  }
}
