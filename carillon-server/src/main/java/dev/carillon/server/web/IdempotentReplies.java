package dev.carillon.server.web;

import dev.carillon.server.store.IdempotencyStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/**
 * Gives requests with an {@code Idempotency-Key} that were answered before the same answer again.
 *
 * @param store keeps the answers
 * @param transactions what requests take effect in
 * @param clock says how old answers are
 * @param idleTimeout how long PostgreSQL waits for this process amid a request: the lease of its
 *     node, after which another node may do the request
 */
public record IdempotentReplies(
    IdempotencyStore store, Transactions transactions, InstantSource clock, Duration idleTimeout)
    implements RequestPipeline.Replays {
  /** The header that names a request. */
  public static final String HEADER = "Idempotency-Key";

  /** Where requests take effect. */
  @FunctionalInterface
  public interface Transactions {
    /** Do {@code work} in one transaction; it may be repeated. */
    <T> T inTransaction(Function<Transaction, T> work);
  }

  @Override
  public Reply once(Request request, Route route, Function<Request, Reply> work) {
    Optional<String> key = request.header(HEADER);
    if (key.isEmpty() || route.repeatable()) {
      return work.apply(request);
    }
    var keyed = new KeyedRequest(this, named(request, key.get()), route.secret());
    return route.inBatches()
        ? keyed.inBatches(begun -> work.apply(request.keyed(begun)))
        : keyed.inOneTransaction(tx -> work.apply(request.in(tx)));
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
