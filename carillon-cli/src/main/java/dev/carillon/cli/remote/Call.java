package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One request to a server.
 *
 * @param method of HTTP
 * @param path encoded, from the root of the server
 * @param query parameters, not encoded
 * @param body what is sent, if anything
 * @param headers beside the usual ones
 */
public record Call(
    String method,
    String path,
    Map<String, String> query,
    Optional<JsonNode> body,
    Map<String, String> headers) {
  private static final String API = "/api/v1";

  public static Call get(String... segments) {
    return of("GET", segments);
  }

  public static Call post(String... segments) {
    return of("POST", segments);
  }

  public static Call put(String... segments) {
    return of("PUT", segments);
  }

  public static Call patch(String... segments) {
    return of("PATCH", segments);
  }

  public static Call delete(String... segments) {
    return of("DELETE", segments);
  }

  /** Return a question about the server itself, such as {@code /healthz}. */
  public static Call outside(String path) {
    return new Call("GET", path, Map.of(), Optional.empty(), Map.of());
  }

  private static Call of(String method, String... segments) {
    String path =
        Arrays.stream(segments).map(Call::encoded).collect(Collectors.joining("/", API + "/", ""));
    return new Call(method, path, Map.of(), Optional.empty(), Map.of());
  }

  /** Return this with a parameter, unless it has no value. */
  public Call with(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    var more = new LinkedHashMap<>(query);
    more.put(name, value.toString());
    return new Call(method, path, more, body, headers);
  }

  /** Return this with something to send. */
  public Call sending(JsonNode value) {
    return new Call(method, path, query, Optional.of(value), headers);
  }

  /** Return this with a header. */
  public Call saying(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Call(method, path, query, body, more);
  }

  String target() {
    return query.isEmpty()
        ? path
        : query.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&", path + "?", ""));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
