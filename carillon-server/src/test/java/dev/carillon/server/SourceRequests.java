package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The requests of a document in the order in which a client makes them, with what it is answered.
 *
 * <p>A step has {@code method}, {@code path}, a {@code body} or {@code bodyFrom} an example of the
 * document, and the {@code status} of the answer; {@code fields} that the answer has, {@code equal}
 * values and the {@code size} of lists by pointer, and {@code keep}, names for values that later
 * steps use in braces. An answer that {@code echoes} has all fields of the body. An instant that
 * must lie in the {@code future} is moved there if it has passed.
 */
final class SourceRequests {
  private static final String LATER = "2099-02-21T15:00:00Z";

  private final JsonNode steps;
  private final Instant now;
  private final Map<String, String> kept = new LinkedHashMap<>();

  /** A server to which requests are sent as by an administrator. */
  @FunctionalInterface
  interface Client {
    Response send(String method, String path, String body) throws Exception;
  }

  /**
   * What a server answered.
   *
   * @param status the HTTP status
   * @param body the body
   */
  record Response(int status, String body) {}

  SourceRequests(String file, Instant now) {
    this.steps = Answer.parse(SourceText.of(file));
    this.now = now;
  }

  /** Send every request, and check every answer. */
  int sendTo(Client client) throws Exception {
    for (JsonNode step : steps) {
      JsonNode body = body(step);
      Response answer =
          client.send(
              step.get("method").asText(),
              filled(step.get("path").asText()),
              body.isMissingNode() ? "" : body.toString());
      check(step, body, answer);
    }
    return steps.size();
  }

  private JsonNode body(JsonNode step) {
    if (!step.has("bodyFrom")) {
      return step.path("body");
    }
    JsonNode body = Answer.parse(SourceText.of(step.get("bodyFrom").asText()));
    String future = step.path("future").asText();
    if (!future.isEmpty() && Instant.parse(body.at(future).asText()).isBefore(now)) {
      ((ObjectNode) body).put(future.substring(1), LATER);
    }
    return body;
  }

  private void check(JsonNode step, JsonNode sent, Response answer) {
    String what = step.get("what").asText() + ": " + answer;
    assertThat(answer.status()).as(what).isEqualTo(step.get("status").asInt());
    JsonNode body = Answer.parse(answer.body().isEmpty() ? "{}" : answer.body());
    step.path("fields")
        .forEach(field -> assertThat(body.has(field.asText())).as(field + " " + what).isTrue());
    step.path("equal")
        .properties()
        .forEach(
            value ->
                assertThat(body.at(value.getKey()).asText())
                    .as(value.getKey() + " " + what)
                    .isEqualTo(filled(value.getValue().asText())));
    step.path("size")
        .properties()
        .forEach(
            size -> assertThat(body.at(size.getKey())).as(what).hasSize(size.getValue().asInt()));
    if (step.path("echoes").asBoolean()) {
      sent.properties()
          .forEach(
              field -> assertThat(body.get(field.getKey())).as(what).isEqualTo(field.getValue()));
    }
    step.path("keep")
        .properties()
        .forEach(name -> kept.put(name.getKey(), body.at(name.getValue().asText()).asText()));
  }

  private String filled(String text) {
    String filled = text;
    for (Map.Entry<String, String> name : kept.entrySet()) {
      filled = filled.replace("{" + name.getKey() + "}", name.getValue());
    }
    return filled;
  }
}
