package dev.carillon.targets.http;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.model.ExternalId;
import dev.carillon.targets.SafeText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The response of an endpoint.
 *
 * @param status the HTTP status
 * @param headers the first value of each header, by its name in lower case
 * @param body the beginning of the body, up to {@link #MAX_SIZE} bytes, as UTF-8 text
 * @param whole whether the body is complete
 */
public record EndpointResponse(
    int status, Map<String, String> headers, String body, boolean whole) {
  /** The maximum number of body bytes that are read. */
  static final int MAX_SIZE = 64 * 1024;

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Return the endpoint's id of the work: a header, or {@code externalId} of a JSON body. */
  Optional<String> externalId() {
    return externalId(List.of("externalId"));
  }

  /** Return the endpoint's id of the work: a header, or a field of a JSON body. */
  Optional<String> externalId(List<String> names) {
    return header("carillon-external-id")
        .or(() -> externalIdInBody(names))
        .map(String::strip)
        .filter(id -> !id.isEmpty() && id.length() <= ExternalId.MAX_LENGTH)
        .filter(id -> SafeText.line(id, ExternalId.MAX_LENGTH).equals(id));
  }

  private Optional<String> externalIdInBody(List<String> names) {
    if (!whole || !body.stripLeading().startsWith("{")) {
      return Optional.empty();
    }
    try {
      Map<String, @Nullable Object> fields = Json.readObject(body);
      return names.stream()
          .flatMap(name -> Optional.ofNullable(fields.get(name)).stream())
          .filter(id -> id instanceof String || id instanceof Long)
          .map(Object::toString)
          .findFirst();
    } catch (JsonException notJson) {
      return Optional.empty();
    }
  }
}
