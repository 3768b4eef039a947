package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Answers to requests with an idempotency key, so that a repeated one gets the same answer. A
 * request reserves its key, is processed, and stores its answer; an expired reservation can be
 * taken over.
 */
public final class IdempotencyStore {
  private static final int MAX_SWEPT = 20;
  private static final int MAX_TRIES = 5;

  private final Database database;

  public IdempotencyStore(Database database) {
    this.database = database;
  }

  /**
   * A request.
   *
   * @param hash the SHA-256 of its content, in hex
   */
  public record Request(String owner, String key, String hash) {
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    public Request {
      if (key.isEmpty() || key.length() > 255 || !StorableText.is(key)) {
        throw new InvalidValueException("an idempotency key has 1 to 255 characters");
      }
      if (owner.isEmpty() || owner.length() > 200 || !StorableText.is(owner)) {
        throw new IllegalArgumentException("an owner of idempotency keys has 1 to 200 characters");
      }
      if (!SHA_256.matcher(hash).matches()) {
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

  /** The result of a reservation. */
  public sealed interface Reserved {
    /** The caller processes the request. */
    record Mine(Request request, UUID reservation) implements Reserved {}

    /** The request was answered before. */
    record Answered(Answer answer) implements Reserved {}

    /** The request is being processed. */
    record Busy() implements Reserved {}

    /** Another request has the key. */
    record Taken() implements Reserved {}
  }

  /**
   * Reserve the key of a request.
   *
   * @param lease how long the reservation lasts
   * @param retention how long the answer is kept
   */
  public Reserved reserve(Request request, Instant now, Duration lease, Duration retention) {
    sweep(now);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      var mine = new Reserved.Mine(request, UUID.randomUUID());
      if (take(mine, now, lease, retention)) {
        return mine;
      }
      Optional<Reserved> other = look(request);
      if (other.isPresent()) {
        return other.get();
      }
    }
    return new Reserved.Busy();
  }

  private boolean take(Reserved.Mine mine, Instant now, Duration lease, Duration retention) {
    return database.update(
            "reserve an idempotency key",
            """
            insert into carillon.idempotency (owner, key, request_hash, reservation, reserved_until, expires_at)
            values (:owner, :key, :hash, :reservation, :until, :expires)
                on conflict (owner, key) do update
               set request_hash = excluded.request_hash, reservation = excluded.reservation,
                   reserved_until = excluded.reserved_until, expires_at = excluded.expires_at,
                   status = null, headers = null, body = null
             where idempotency.expires_at <= :now
                or (idempotency.status is null
                    and idempotency.reserved_until <= :now
                    and idempotency.request_hash = excluded.request_hash)
            """,
            bind ->
                bind.set("owner", mine.request.owner)
                    .set("key", mine.request.key)
                    .set("hash", mine.request.hash)
                    .set("reservation", mine.reservation)
                    .set("until", now.plus(lease))
                    .set("expires", now.plus(retention))
                    .set("now", now))
        == 1;
  }

  /* Empty if it was released or swept in between. */
  private Optional<Reserved> look(Request request) {
    return database.first(
        "look at an idempotency key",
        """
        select request_hash = :hash as same, status, headers, body
          from carillon.idempotency
         where owner = :owner
           and key = :key
        """,
        bind -> bind.set("owner", request.owner).set("key", request.key).set("hash", request.hash),
        IdempotencyStore::toReserved);
  }

  private static Reserved toReserved(Row row) {
    if (!row.flag("same")) {
      return new Reserved.Taken();
    }
    return row.optionalInteger("status")
        .<Reserved>map(
            status ->
                new Reserved.Answered(
                    new Answer(status, headers(row.text("headers")), row.text("body"))))
        .orElseGet(Reserved.Busy::new);
  }

  private static Map<String, String> headers(String json) {
    var headers = new LinkedHashMap<String, String>();
    Json.readObject(json).forEach((name, value) -> headers.put(name, String.valueOf(value)));
    return headers;
  }

  /** Store the answer to a request; false if the reservation was taken over. */
  public boolean fill(Reserved.Mine mine, Answer answer) {
    return database.update(
            "fill in an answer",
            """
            update carillon.idempotency
               set status = :status, headers = :headers::jsonb, body = :body
             where owner = :owner
               and key = :key
               and reservation = :reservation
               and status is null
            """,
            bind ->
                bind.set("status", answer.status)
                    .set("headers", Json.write(answer.headers))
                    .set("body", answer.body)
                    .set("owner", mine.request.owner)
                    .set("key", mine.request.key)
                    .set("reservation", mine.reservation))
        == 1;
  }

  /** Release a key without an answer, so that the request can be sent again. */
  public void release(Reserved.Mine mine) {
    database.update(
        "release an idempotency key",
        """
        delete from carillon.idempotency
         where owner = :owner
           and key = :key
           and reservation = :reservation
           and status is null
        """,
        bind ->
            bind.set("owner", mine.request.owner)
                .set("key", mine.request.key)
                .set("reservation", mine.reservation));
  }

  /* Each request deletes more keys than it adds. */
  private void sweep(Instant now) {
    database.update(
        "sweep idempotency keys",
        """
        delete from carillon.idempotency
         where ctid = any (array(select ctid
                                   from carillon.idempotency
                                  where expires_at <= :now
                                  order by expires_at
                                  limit :limit
                                    for update skip locked))
        """,
        bind -> bind.set("now", now).set("limit", MAX_SWEPT));
  }
}
