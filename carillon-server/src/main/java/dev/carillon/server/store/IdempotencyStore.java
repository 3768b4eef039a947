package dev.carillon.server.store;

import dev.carillon.json.AsciiText;
import dev.carillon.json.Json;
import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers to requests with an idempotency key, so that a repeated one gets the same answer. Each
 * method is part of the transaction in which the request takes effect: key, effect and answer are
 * durable together, or none of them is.
 *
 * <p>While a transaction works on a request, an advisory lock of PostgreSQL has its key. The lock
 * ends with the transaction: at the latest when PostgreSQL ends one that has been idle too long,
 * which then can change nothing any more.
 */
public final class IdempotencyStore {
  private static final int MAX_SWEPT = 20;

  /**
   * A request.
   *
   * @param hash the SHA-256 of its content, in hex
   */
  public record Request(String owner, String key, String hash) {
    private static final int SHA_256_DIGITS = 64;

    public Request {
      if (key.isEmpty() || key.length() > 255 || !StorableText.is(key)) {
        throw new InvalidValueException("an idempotency key has 1 to 255 characters");
      }
      if (owner.isEmpty() || owner.length() > 200 || !StorableText.is(owner)) {
        throw new IllegalArgumentException("an owner of idempotency keys has 1 to 200 characters");
      }
      if (hash.length() != SHA_256_DIGITS
          || !hash.chars().allMatch(c -> AsciiText.isHexDigit(c) && !Character.isUpperCase(c))) {
        throw new IllegalArgumentException("a request is known by its SHA-256: 64 hex digits");
      }
    }

    @Override
    public String toString() {
      return "request " + key + " of " + owner;
    }
  }

  /** The answer to a request; its body may be empty. */
  public record Answer(int status, Map<String, String> headers, String body) {
    public Answer {
      headers = Map.copyOf(headers);
    }
  }

  /** Where a request stands. */
  public sealed interface Standing {
    /**
     * The caller does the request.
     *
     * @param progress how far it has come before, if it is done in several transactions
     */
    record Open(Optional<String> progress) implements Standing {}

    /** The request was answered before. */
    record Answered(Answer answer) implements Standing {}

    /** The request is being done. */
    record Busy() implements Standing {}

    /** Another request has the key. */
    record Taken() implements Standing {}
  }

  /**
   * Look where a request stands, and if it is open, keep others from it until {@code tx} ends.
   *
   * @param idleTimeout how long {@code tx} may wait for this process before PostgreSQL ends it
   */
  public Standing begin(Transaction tx, Request request, Instant now, Duration idleTimeout) {
    return tx.one(
        "look at an idempotency key",
        """
        select pg_try_advisory_xact_lock(hashtextextended(:owner || ' ' || :key, 0)) as free,
               set_config('idle_in_transaction_session_timeout', :timeout, true),
               coalesce(known.request_hash <> :hash, false) as other, known.status, known.headers, known.body, known.progress,
               coalesce(known.status is null and known.reserved_until > :now, false) as reserved
          from (values (:owner, :key)) as asked (owner, key)
          left join carillon.idempotency as known
            on known.owner = asked.owner
           and known.key = asked.key
           and known.expires_at > :now
        """,
        bind ->
            bind.set("owner", request.owner)
                .set("key", request.key)
                .set("hash", request.hash)
                .set("now", now)
                .set("timeout", idleTimeout.toMillis() + "ms"),
        IdempotencyStore::toStanding);
  }

  private static Standing toStanding(Row row) {
    if (row.flag("other")) {
      return new Standing.Taken();
    }
    Optional<Integer> status = row.optionalInteger("status");
    if (status.isPresent()) {
      return new Standing.Answered(
          new Answer(status.get(), headers(row.text("headers")), row.text("body")));
    }
    return row.flag("free") && !row.flag("reserved")
        ? new Standing.Open(row.optionalText("progress"))
        : new Standing.Busy();
  }

  private static Map<String, String> headers(String json) {
    var headers = new LinkedHashMap<String, String>();
    Json.readObject(json).forEach((name, value) -> headers.put(name, String.valueOf(value)));
    return headers;
  }

  /**
   * Keep the answer to a request that has come as far as {@code before} until {@code expiresAt};
   * false if another transaction was faster, and {@code tx} must be rolled back.
   */
  public boolean answer(
      Transaction tx,
      Request request,
      Optional<String> before,
      Answer answer,
      Instant now,
      Instant expiresAt) {
    return keep(tx, request, before, Optional.empty(), Optional.of(answer), now, expiresAt);
  }

  /**
   * Keep how far a request has come that had come as far as {@code before}; false if another
   * transaction was faster, and {@code tx} must be rolled back.
   */
  public boolean advance(
      Transaction tx,
      Request request,
      Optional<String> before,
      String after,
      Instant now,
      Instant expiresAt) {
    return keep(tx, request, before, Optional.of(after), Optional.empty(), now, expiresAt);
  }

  /* Each request deletes more keys than it adds. */
  private static boolean keep(
      Transaction tx,
      Request request,
      Optional<String> before,
      Optional<String> progress,
      Optional<Answer> answer,
      Instant now,
      Instant expiresAt) {
    return tx.update(
            "keep an idempotency key",
            """
            with swept as (
              delete from carillon.idempotency
               where ctid = any (array(select ctid
                                         from carillon.idempotency
                                        where expires_at <= :now
                                          and (owner, key) <> (:owner, :key)
                                        order by expires_at
                                        limit :limit
                                          for update skip locked)))
            insert into carillon.idempotency as known
                   (owner, key, request_hash, progress, status, headers, body, expires_at)
            values (:owner, :key, :hash, :progress, :status, :headers::jsonb, :body, :expires)
                on conflict (owner, key) do update
               set request_hash = excluded.request_hash, progress = excluded.progress, status = excluded.status,
                   headers = excluded.headers, body = excluded.body, expires_at = excluded.expires_at,
                   reservation = null, reserved_until = null
             where known.expires_at <= :now
                or (known.status is null
                    and known.request_hash = excluded.request_hash
                    and known.progress is not distinct from :before
                    and coalesce(known.reserved_until <= :now, true))
            """,
            bind ->
                bind.set("owner", request.owner)
                    .set("key", request.key)
                    .set("hash", request.hash)
                    .set("before", before)
                    .set("progress", progress)
                    .set("status", answer.map(Answer::status))
                    .set("headers", answer.map(Answer::headers).map(Json::write))
                    .set("body", answer.map(Answer::body))
                    .set("now", now)
                    .set("expires", expiresAt)
                    .set("limit", MAX_SWEPT))
        == 1;
  }
}
