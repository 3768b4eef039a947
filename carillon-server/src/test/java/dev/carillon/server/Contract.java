package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;

/** The OpenAPI document as a measure of answers. */
final class Contract {
  private final JsonNode document;
  private final Schema schema;

  Contract(JsonNode document) {
    this.document = document;
    this.schema = new Schema(document);
  }

  JsonNode document() {
    return document;
  }

  /** Check that {@code answer} is one that the document allows. */
  void check(String method, String path, Answer answer) {
    JsonNode operation = operation(method, path);
    if (operation.isMissingNode()) {
      assertThat(answer.status()).as(method + " " + path).isIn(404, 405, 400);
    }
    JsonNode responses = operation.path("responses");
    JsonNode response = responses.path(String.valueOf(answer.status()));
    boolean problem = response.isMissingNode();
    if (problem) {
      assertThat(answer.status()).as(method + " " + path + " " + answer).isBetween(400, 599);
      assertThat(answer.contentType()).isEqualTo("application/problem+json");
    }
    if (!problem && !response.has("content")) {
      assertThat(answer.text()).isEmpty();
      return;
    }
    JsonNode form =
        problem
            ? document.at("/components/schemas/Problem")
            : response.path("content").path(bare(answer.contentType())).path("schema");
    assertThat(form.isMissingNode()).as("a schema for " + answer).isFalse();
    if (bare(answer.contentType()).endsWith("json")) {
      assertThat(schema.faults(form, answer.json()))
          .as(method + " " + path + " " + answer)
          .isEmpty();
    }
  }

  private static String bare(String contentType) {
    int end = contentType.indexOf(';');
    return end < 0 ? contentType : contentType.substring(0, end);
  }

  private JsonNode operation(String method, String path) {
    String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    String[] segments = path.split("/", -1);
    JsonNode best = document.path("nothing");
    int variables = Integer.MAX_VALUE;
    for (Map.Entry<String, JsonNode> entry : document.get("paths").properties()) {
      String[] template = entry.getKey().split("/", -1);
      int free = variables(template, segments);
      if (free >= 0 && free < variables && entry.getValue().has(verb)) {
        variables = free;
        best = entry.getValue().path(verb);
      }
    }
    return best;
  }

  private static int variables(String[] template, String[] segments) {
    if (template.length != segments.length) {
      return -1;
    }
    int variables = 0;
    for (int i = 0; i < template.length; i++) {
      if (template[i].startsWith("{") && !segments[i].isEmpty()) {
        variables++;
      } else if (!template[i].equals(segments[i])) {
        return -1;
      }
    }
    return variables;
  }
}
