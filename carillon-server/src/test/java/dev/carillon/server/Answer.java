package dev.carillon.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.carillon.json.Json;
import dev.carillon.server.web.Reply;
import java.util.Map;

/**
 * What a client gets to see.
 *
 * @param status the HTTP status
 * @param contentType the media type
 * @param headers the other headers
 * @param text the body
 */
record Answer(int status, String contentType, Map<String, String> headers, String text) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static Answer of(Reply reply) {
    String text =
        reply.content() instanceof Reply.Text raw
            ? raw.text()
            : reply.value().map(Json::write).orElse("");
    return new Answer(reply.status(), reply.contentType(), reply.headers(), text);
  }

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  JsonNode json() {
    return parse(text);
  }

  /** Return the text at a JSON pointer. */
  String at(String pointer) {
    return json().at(pointer).asText();
  }
}
