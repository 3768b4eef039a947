package dev.carillon.server.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An error as RFC 9457 describes it.
 *
 * @param kind what went wrong
 * @param detail what went wrong this time, and the cure
 * @param errors what is wrong where, for bad input
 * @param headers headers that go with it
 */
public record Problem(
    ProblemKind kind, String detail, List<FieldError> errors, Map<String, String> headers) {
  /** The media type of problems. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /**
   * Something wrong with the input.
   *
   * @param where how the place is given: {@code pointer} into the body or query {@code parameter}
   * @param place the place
   * @param message what is wrong there, and the cure
   */
  public record FieldError(String where, String place, String message) {
    /** Name a place in the body by its JSON pointer. */
    public static FieldError at(String pointer, String message) {
      return new FieldError("pointer", pointer, message);
    }

    /** Name a query parameter. */
    public static FieldError in(String parameter, String message) {
      return new FieldError("parameter", parameter, message);
    }
  }

  public Problem {
    errors = List.copyOf(errors);
    headers = Map.copyOf(headers);
  }

  /** Describe a problem. */
  public static Problem of(ProblemKind kind, String detail) {
    return new Problem(kind, detail, List.of(), Map.of());
  }

  /** Describe what is wrong with the input. */
  public static Problem of(ProblemKind kind, List<FieldError> errors) {
    String detail =
        errors.size() == 1
            ? errors.get(0).message()
            : errors.size() + " things are wrong; see errors.";
    return new Problem(kind, detail, errors, Map.of());
  }

  /** Return this problem with another header. */
  public Problem header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(kind, detail, errors, more);
  }

  /** Return the exception that ends a request with this problem. */
  public ProblemException problemException() {
    return new ProblemException(this);
  }

  /** Return the reply that describes this problem of the path {@code instance}. */
  public Reply reply(String instance) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", kind.type());
    body.put("title", kind.title());
    body.put("status", kind.status());
    body.put("detail", detail);
    body.put("instance", instance);
    body.put("code", kind.code());
    if (!errors.isEmpty()) {
      body.put("errors", errors.stream().map(Problem::written).toList());
    }
    return new Reply(kind.status(), MEDIA_TYPE, headers, new Reply.Value(body));
  }

  private static Map<String, Object> written(FieldError fieldError) {
    var error = new LinkedHashMap<String, Object>();
    error.put(fieldError.where(), fieldError.place());
    error.put("message", fieldError.message());
    return error;
  }
}
