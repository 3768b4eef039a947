package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Scope;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Sessions of the console, stored by the hashes of their secrets. */
public final class ConsoleSessionStore {
  private static final Duration SEEN_RESOLUTION = Duration.ofMinutes(1);

  private final Database database;

  public ConsoleSessionStore(Database database) {
    this.database = database;
  }

  /**
   * Add a session, and forget those that are over and, of the same caller, the least recently used
   * beyond {@code most}.
   */
  public void create(byte[] hash, ConsoleSession session, int most) {
    database.inTransaction(
        tx -> {
          tx.update(
              "forget console sessions that are over",
              "delete from carillon.console_session where expires_at <= :now",
              bind -> bind.set("now", session.seenAt()));
          tx.update(
              "forget old console sessions of a caller",
              """
              delete from carillon.console_session
               where hash in (select old.hash
                                from carillon.console_session as old
                               where md5(old.caller) = md5(:caller)
                                 and old.caller = :caller
                                 and old.means = :means
                               order by old.seen_at desc, old.hash
                              offset :most)
              """,
              bind ->
                  bind.set("caller", session.who().id())
                      .set("means", session.who().means())
                      .set("most", most - 1));
          tx.update(
              "insert a console session",
              """
              insert into carillon.console_session
                     (hash, token, credential, name, role, means, caller, scope, created_at, seen_at, expires_at)
              values (:hash, :token, :credential, :name, :role, :means, :caller, :scope::jsonb, :now, :now, :expires)
              """,
              bind ->
                  bind.set("hash", hash)
                      .set("token", session.token())
                      .set("credential", HexFormat.of().parseHex(session.credential()))
                      .set("name", session.who().name())
                      .set("role", session.who().role())
                      .set("means", session.who().means())
                      .set("caller", session.who().id())
                      .set("scope", session.who().scope().json())
                      .set("now", session.seenAt())
                      .set("expires", session.expiresAt()));
          AuditStore.insert(
              tx,
              List.of(
                  AuditStore.Line.of(
                      "console_session.created",
                      Map.of(
                          "role",
                          session.who().role(),
                          "signedInBy",
                          session.who().means(),
                          "expiresAt",
                          session.expiresAt().toString()))),
              new ChangedBy(session.seenAt(), session.who().name()));
          return true;
        });
  }

  /**
   * Find the session with this hash, if it is valid at {@code now}, and was used within {@code
   * idle}, and the token by which it was begun is valid.
   */
  public Optional<ConsoleSession> valid(byte[] hash, Instant now, Duration idle) {
    return database.first(
        "find a console session",
        """
        select session.credential, session.token, session.name, session.role, session.means, session.caller,
               session.scope, session.seen_at, session.expires_at
          from carillon.console_session as session
          left join carillon.api_token as token on token.id = session.token
         where session.hash = :hash
           and session.expires_at > :now
           and session.seen_at > :idle
           and (session.token is null
                or token.revoked_at is null and (token.expires_at is null or token.expires_at > :now))
        """,
        bind -> bind.set("hash", hash).set("now", now).set("idle", now.minus(idle)),
        ConsoleSessionStore::toSession);
  }

  /** Record that a session was used, at most once a minute. */
  public void used(byte[] hash, ConsoleSession session, Instant now) {
    Instant fresh = now.minus(SEEN_RESOLUTION);
    if (session.seenAt().isAfter(fresh)) {
      return;
    }
    database.update(
        "record the use of a console session",
        """
        update carillon.console_session
           set seen_at = :now
         where hash = :hash
           and seen_at < :now
        """,
        bind -> bind.set("hash", hash).set("now", now));
  }

  /** End a session at {@code now}; one that has ended stays so. */
  public void end(byte[] hash, Instant now) {
    database.inTransaction(
        tx -> {
          tx.first(
                  "end a console session",
                  "delete from carillon.console_session where hash = :hash returning name",
                  bind -> bind.set("hash", hash),
                  row -> row.text("name"))
              .ifPresent(
                  name ->
                      AuditStore.insert(
                          tx,
                          List.of(AuditStore.Line.of("console_session.ended", Map.of())),
                          new ChangedBy(now, name)));
          return true;
        });
  }

  /** Return those of {@code hashes}, in hexadecimal digits, whose sessions are there no more. */
  public Set<String> ended(Collection<String> hashes) {
    Set<String> there =
        Set.copyOf(
            database.query(
                "find console sessions",
                """
                select encode(hash, 'hex') as hash
                  from carillon.console_session
                 where hash in (select decode(hex, 'hex') from unnest(:hashes) as hex)
                """,
                bind -> bind.array("hashes", "text", hashes, hash -> hash),
                row -> row.text("hash")));
    return hashes.stream().filter(hash -> !there.contains(hash)).collect(Collectors.toSet());
  }

  private static ConsoleSession toSession(Row row) {
    return new ConsoleSession(
        row.optionalBytes("credential").map(HexFormat.of()::formatHex).orElseThrow(),
        row.optionalUuid("token"),
        new ConsoleSession.Who(
            row.text("name"),
            row.text("role"),
            row.text("means"),
            row.text("caller"),
            row.optionalJson("scope").map(Json::readObject).map(Scope::of).orElse(Scope.ALL)),
        row.instant("seen_at"),
        row.instant("expires_at"));
  }
}
