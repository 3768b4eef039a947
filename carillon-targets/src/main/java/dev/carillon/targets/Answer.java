package dev.carillon.targets;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.model.ExternalId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint answered.
 *
 * @param status the HTTP status
 * @param headers the first value of each header, by its name in small letters
 * @param body the beginning of the body, up to {@link #LARGEST} bytes, as UTF-8 text
 * @param whole whether that is all of it
 */
record Answer(int status, Map<String, String> headers, String body, boolean whole) {
  /** The most bytes of a body that are read. */
  static final int LARGEST = 64 * 1024;

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Return what the other side calls the work: a header, or a field of a JSON body. */
  Optional<String> externalId() {
    return externalId(List.of("externalId"));
  }

  /** Return what the other side calls the work, which a body may call by one of {@code names}. */
  Optional<String> externalId(List<String> names) {
    return header("carillon-external-id")
        .or(() -> externalIdInBody(names))
        .map(String::strip)
        .filter(id -> !id.isEmpty() && id.length() <= ExternalId.LONGEST)
        .filter(id -> Printable.line(id, ExternalId.LONGEST).equals(id));
  }

  private Optional<String> externalIdInBody(List<String> names) {
    if (!whole || !body.stripLeading().startsWith("{")) {
      return Optional.empty();
    }
    try {
      Map<String, @Nullable Object> said = Json.readObject(body);
      return names.stream()
          .flatMap(name -> Optional.ofNullable(said.get(name)).stream())
          .filter(id -> id instanceof String || id instanceof Long)
          .map(Object::toString)
          .findFirst();
    } catch (JsonException noneOfOurBusiness) {
      return Optional.empty();
    }
  }
}
