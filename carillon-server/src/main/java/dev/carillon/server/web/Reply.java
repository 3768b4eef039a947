package dev.carillon.server.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The answer to a request.
 *
 * @param status the HTTP status
 * @param contentType the media type of the content; empty if there is none
 * @param headers further headers by name
 * @param content what is written
 */
public record Reply(int status, String contentType, Map<String, String> headers, Content content) {
  private static final String JSON = "application/json";

  /** What is written after the headers. */
  public sealed interface Content {}

  /** A value that is written as JSON. */
  public record Value(Object value) implements Content {}

  /** Text that is written as it stands. */
  public record Text(String text) implements Content {}

  /**
   * A reply that is known later; no thread waits for it.
   *
   * @param reply what is answered then
   * @param replyNow makes it known at once, as well as it can be
   */
  public record Later(CompletableFuture<Reply> reply, Runnable replyNow) implements Content {}

  /** Content that goes on until one side ends it. */
  public record Live(Consumer<EventSink> beginning) implements Content {}

  /** Nothing. */
  public record Nothing() implements Content {}

  public Reply {
    headers = Map.copyOf(headers);
  }

  /** Answer with a value as JSON. */
  public static Reply json(int status, Object value) {
    return new Reply(status, JSON, Map.of(), new Value(value));
  }

  /** Answer 200 with a value as JSON. */
  public static Reply ok(Object value) {
    return json(200, value);
  }

  /** Answer that it is done, and that there is no more to say. */
  public static Reply done() {
    return new Reply(204, "", Map.of(), new Nothing());
  }

  /** Answer 200 with text of any media type. */
  public static Reply text(String contentType, String text) {
    return new Reply(200, contentType, Map.of(), new Text(text));
  }

  /** Answer 200 with content that {@code beginning} goes on to write after it has returned. */
  public static Reply live(String contentType, Consumer<EventSink> beginning) {
    return new Reply(200, contentType, Map.of(), new Live(beginning));
  }

  /** Answer when {@code reply} is known, which {@code replyNow} brings about at once. */
  public static Reply later(CompletableFuture<Reply> reply, Runnable replyNow) {
    return new Reply(0, "", Map.of(), new Later(reply, replyNow));
  }

  /** Return this reply with another header. */
  public Reply header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, contentType, more, content);
  }

  /** Return the value that is written as JSON, if it is one. */
  public Optional<Object> value() {
    return content instanceof Value json ? Optional.of(json.value()) : Optional.empty();
  }
}
