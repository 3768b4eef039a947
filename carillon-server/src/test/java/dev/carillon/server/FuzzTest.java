package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever a client sends, the server does not fail, and answers with a problem. */
@ExtendWith(EmbeddedPostgres.class)
class FuzzTest {
  private static final int EACH = Integer.getInteger("fuzz", 200);

  private final Site site;

  FuzzTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void nothing_a_client_sends_is_a_fault_of_the_server() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("FuzzTest: replay with -Dseed=" + seed);
    var mutations = new Mutations(site.contract.document(), seed);
    int sent = 0;
    for (Map.Entry<String, JsonNode> path : site.contract.document().get("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        for (int i = 0; i < EACH; i++) {
          Request request =
              request(mutations, path.getKey(), operation.getKey(), operation.getValue());
          Answer answer = send(request, seed);
          // A status that the route itself answers, as /health does, is no fault.
          boolean told = operation.getValue().get("responses").has(String.valueOf(answer.status()));
          assertThat(told || answer.status() < 500).as(told(request, answer, seed)).isTrue();
          sent++;
        }
      }
    }
    assertThat(sent).isGreaterThan(35 * EACH);
  }

  private Answer send(Request request, long seed) {
    try {
      return site.send(request);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "%s %s?%s with -Dseed=%s"
              .formatted(request.method(), request.path(), request.query(), seed),
          e);
    }
  }

  private static String told(Request request, Answer answer, long seed) {
    return "%s %s?%s %s → %s; replay with -Dseed=%s"
        .formatted(
            request.method(),
            request.path(),
            request.query(),
            new String(request.body(), StandardCharsets.UTF_8),
            answer,
            seed);
  }

  private Request request(Mutations mutations, String template, String method, JsonNode operation) {
    var path = new StringBuilder();
    for (String segment : template.substring(1).split("/", -1)) {
      path.append('/').append(segment.startsWith("{") ? mutations.part() : segment);
    }
    Request request =
        site.as(Role.ADMIN, Request.of(method.toUpperCase(Locale.ROOT), path.toString()))
            .query(mutations.query(operation.get("parameters")));
    JsonNode content = operation.at("/requestBody/content");
    if (!content.isMissingNode()) {
      String type = content.fieldNames().next();
      request =
          request
              .body(mutations.body(content.get(type).get("schema")))
              .header("Content-Type", mutations.chance(20) ? mutations.nasty() : type);
    }
    if (mutations.chance(10)) {
      request = request.header("Last-Event-ID", mutations.nasty());
    }
    if (mutations.chance(10)) {
      request = request.header("If-Match", mutations.nasty());
    }
    if (mutations.chance(10)) {
      request = request.header("Idempotency-Key", mutations.nasty());
    }
    return mutations.chance(20) ? request.header("Accept", mutations.nasty()) : request;
  }
}
