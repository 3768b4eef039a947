package dev.carillon.server.web;

import dev.carillon.json.Json;
import dev.carillon.server.store.IdempotencyStore;
import dev.carillon.server.store.IdempotencyStore.Answer;
import dev.carillon.server.store.IdempotencyStore.Standing;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request with an {@code Idempotency-Key}, which takes effect once: the key, the effect and the
 * answer are written in one transaction, or batch by batch with how far it has come.
 */
public final class KeyedRequest {
  private static final Duration REMEMBERED = Duration.ofDays(1);
  private static final int MAX_TRIES = 5;
  private static final String CONTENT_TYPE = "Content-Type";

  private final IdempotentReplies replies;
  private final IdempotencyStore.Request request;
  private final boolean secret;
  private final Optional<String> progress;

  KeyedRequest(IdempotentReplies replies, IdempotencyStore.Request request, boolean secret) {
    this(replies, request, secret, Optional.empty());
  }

  private KeyedRequest(
      IdempotentReplies replies,
      IdempotencyStore.Request request,
      boolean secret,
      Optional<String> progress) {
    this.replies = replies;
    this.request = request;
    this.secret = secret;
    this.progress = progress;
  }

  /** Return what {@link #advance} wrote last when the request was made before. */
  public Optional<String> progress() {
    return progress;
  }

  /** Somebody else has done the request, or a part of it, meanwhile. */
  private static final class OvertakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OvertakenException() {
      super("the same request was faster", null, false, false);
    }
  }

  /**
   * Do {@code work} in a transaction that also keeps its answer, or answer as before. What throws
   * leaves nothing behind, so that the request may be mended and sent again.
   */
  public Reply inOneTransaction(Function<Transaction, Reply> work) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      try {
        return replies.transactions().inTransaction(tx -> once(tx, work));
      } catch (OvertakenException e) {
        // It is answered by now.
      }
    }
    throw underWay();
  }

  private Reply once(Transaction tx, Function<Transaction, Reply> work) {
    Standing standing = begin(tx);
    if (standing instanceof Standing.Answered before) {
      return again(before.answer());
    }
    Reply reply = written(work.apply(tx));
    keep(tx, Optional.empty(), reply);
    return reply;
  }

  /** Do {@code work}, which keeps how far it has come with each batch, or answer as before. */
  Reply inBatches(Function<KeyedRequest, Reply> work) {
    Standing standing = replies.transactions().inTransaction(this::begin);
    if (standing instanceof Standing.Answered before) {
      return again(before.answer());
    }
    try {
      return work.apply(
          standing instanceof Standing.Open open
              ? new KeyedRequest(replies, request, secret, open.progress())
              : this);
    } catch (OvertakenException e) {
      throw underWay();
    }
  }

  /** Keep others from a batch of this request, which has come as far as {@code before}. */
  public void begin(Transaction tx, Optional<String> before) {
    if (!begin(tx).equals(new Standing.Open(before))) {
      throw new OvertakenException();
    }
  }

  /** Write with a batch how far this request, which had come to {@code before}, has come. */
  public void advance(Transaction tx, Optional<String> before, String after) {
    Instant now = replies.clock().instant();
    if (!replies.store().advance(tx, request, before, after, now, now.plus(REMEMBERED))) {
      throw new OvertakenException();
    }
  }

  /** Write with the last batch how this request, which had come to {@code before}, is answered. */
  public void finish(Transaction tx, Optional<String> before, Reply reply) {
    keep(tx, before, written(reply));
  }

  private Standing begin(Transaction tx) {
    Standing standing =
        replies.store().begin(tx, request, replies.clock().instant(), replies.idleTimeout());
    if (standing instanceof Standing.Busy) {
      throw underWay();
    }
    if (standing instanceof Standing.Taken) {
      throw new ProblemException(
          ProblemKind.IDEMPOTENCY_KEY_REUSED,
          "This Idempotency-Key was used for another request; use a new one.");
    }
    return standing;
  }

  private void keep(Transaction tx, Optional<String> before, Reply reply) {
    Instant now = replies.clock().instant();
    if (!replies.store().answer(tx, request, before, answer(reply), now, now.plus(REMEMBERED))) {
      throw new OvertakenException();
    }
  }

  private static ProblemException underWay() {
    return Problem.of(
            ProblemKind.REQUEST_UNDER_WAY,
            "A request with this Idempotency-Key is not answered yet; send it again in a moment.")
        .header("Retry-After", "1")
        .problemException();
  }

  /* As text, so that what is kept is what is answered. */
  private static Reply written(Reply reply) {
    return reply
        .value()
        .map(
            value ->
                new Reply(
                    reply.status(),
                    reply.contentType(),
                    reply.headers(),
                    new Reply.Text(Json.write(value))))
        .orElse(reply);
  }

  private Answer answer(Reply reply) {
    var headers = new HashMap<>(reply.headers());
    if (reply.content() instanceof Reply.Text text) {
      headers.put(CONTENT_TYPE, reply.contentType());
      return new Answer(reply.status(), headers, secret ? "" : text.text());
    }
    if (reply.content() instanceof Reply.Nothing) {
      return new Answer(reply.status(), headers, "");
    }
    throw new IllegalStateException("an answer that is not known yet cannot be kept");
  }

  private Reply again(Answer answer) {
    Map<String, String> headers = new HashMap<>(answer.headers());
    String contentType = Optional.ofNullable(headers.remove(CONTENT_TYPE)).orElse("");
    if (secret) {
      throw notKept(headers);
    }
    headers.put("Idempotency-Replayed", "true");
    return new Reply(
        answer.status(),
        contentType,
        headers,
        answer.body().isEmpty() ? new Reply.Nothing() : new Reply.Text(answer.body()));
  }

  private static ProblemException notKept(Map<String, String> headers) {
    Optional<String> made = Optional.ofNullable(headers.get("Location"));
    Problem problem =
        Problem.of(
            ProblemKind.ANSWER_NOT_KEPT,
            "This was done before, and its answer was shown once%s; delete what it made, and ask"
                    .formatted(made.map(place -> ": it made " + place).orElse(""))
                + " again with a new Idempotency-Key.");
    return made.map(place -> problem.header("Location", place)).orElse(problem).problemException();
  }
}
