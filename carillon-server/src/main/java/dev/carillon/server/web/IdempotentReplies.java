package dev.carillon.server.web;

import dev.carillon.json.Json;
import dev.carillon.server.store.IdempotencyStore;
import dev.carillon.server.store.IdempotencyStore.Answer;
import dev.carillon.server.store.IdempotencyStore.Reserved;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.time.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives requests with an {@code Idempotency-Key} that were answered before the same answer again.
 *
 * @param store keeps the answers
 * @param clock says how old they are
 */
public record IdempotentReplies(IdempotencyStore store, InstantSource clock)
    implements RequestPipeline.Replays {
  /** The header that names a request. */
  public static final String HEADER = "Idempotency-Key";

  private static final String CONTENT_TYPE = "Content-Type";
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration REMEMBERED = Duration.ofDays(1);

  @Override
  public Reply once(Request request, Supplier<Reply> work) {
    Optional<String> key = request.header(HEADER);
    if (key.isEmpty()) {
      return work.get();
    }
    Reserved reserved =
        store.reserve(named(request, key.get()), clock.instant(), ANSWER_TIMEOUT, REMEMBERED);
    if (reserved instanceof Reserved.Mine mine) {
      return answered(mine, work);
    }
    if (reserved instanceof Reserved.Answered before) {
      return again(before.answer());
    }
    throw (reserved instanceof Reserved.Busy
            ? Problem.of(
                    ProblemKind.REQUEST_UNDER_WAY,
                    "A request with this Idempotency-Key is not answered yet; send it again in a moment.")
                .header("Retry-After", "1")
            : Problem.of(
                ProblemKind.IDEMPOTENCY_KEY_REUSED,
                "This Idempotency-Key was used for another request; use a new one."))
        .problemException();
  }

  /** Return a name for a request with a key, the same when it is repeated; empty without a key. */
  public static Optional<String> name(Request request) {
    return request
        .header(HEADER)
        .map(key -> owner(request.caller()) + "\n" + key + "\n" + hash(request))
        .map(all -> hex(all.getBytes(StandardCharsets.UTF_8)));
  }

  private static IdempotencyStore.Request named(Request request, String key) {
    try {
      return new IdempotencyStore.Request(owner(request.caller()), key, hash(request));
    } catch (InvalidValueException e) {
      throw new ProblemException(ProblemKind.MALFORMED_REQUEST, e.getMessage() + ".");
    }
  }

  /* What is in JWTs and certificates may be of any length, and have any characters. */
  private static String owner(Caller caller) {
    return hex(caller.identity().getBytes(StandardCharsets.UTF_8));
  }

  /* What failed may be tried again, as if it had not been. */
  private Reply answered(Reserved.Mine mine, Supplier<Reply> work) {
    try {
      Reply reply = work.get();
      if (reply.content() instanceof Reply.Value json && reply.status() < 500) {
        String text = Json.write(json.value());
        var headers = new HashMap<>(reply.headers());
        headers.put(CONTENT_TYPE, reply.contentType());
        store.fill(mine, new Answer(reply.status(), headers, text));
        return new Reply(
            reply.status(), reply.contentType(), reply.headers(), new Reply.Text(text));
      }
      if (reply.content() instanceof Reply.Nothing) {
        store.fill(mine, new Answer(reply.status(), reply.headers(), ""));
        return reply;
      }
      store.release(mine);
      return reply;
    } catch (RuntimeException e) {
      release(mine, e);
      throw e;
    }
  }

  /* What cannot be released is free again after a while; why the work failed counts. */
  private void release(Reserved.Mine mine, RuntimeException failure) {
    try {
      store.release(mine);
    } catch (StoreException e) {
      failure.addSuppressed(e);
    }
  }

  private static Reply again(Answer answer) {
    Map<String, String> headers = new HashMap<>(answer.headers());
    String contentType = Optional.ofNullable(headers.remove(CONTENT_TYPE)).orElse("");
    headers.put("Idempotency-Replayed", "true");
    return new Reply(
        answer.status(),
        contentType,
        headers,
        answer.body().isEmpty() ? new Reply.Nothing() : new Reply.Text(answer.body()));
  }

  private static String hash(Request request) {
    byte[] head =
        "%s %s?%s\n"
            .formatted(request.method(), request.path(), request.query())
            .getBytes(StandardCharsets.UTF_8);
    byte[] body = request.body();
    var all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return hex(all);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(Sha256.of(bytes));
  }
}
