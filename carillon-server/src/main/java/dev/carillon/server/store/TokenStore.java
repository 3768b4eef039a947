package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** API tokens, stored as hashes. */
public final class TokenStore {
  private static final String SCOPED = "scoped-";
  private static final Duration LAST_USED_RESOLUTION = Duration.ofMinutes(1);

  private final Database database;

  public TokenStore(Database database) {
    this.database = database;
  }

  /** What a token allows, and with what. */
  public record Rights(Collection<String> roles, Scope scope) {
    public Rights {
      roles = List.copyOf(roles);
    }

    /* What no server takes for a role that knows no scopes. */
    private List<String> stored() {
      return roles.stream().map(role -> scope.isAll() ? role : SCOPED + role).toList();
    }
  }

  /** Return the same tokens as part of {@code tx}. */
  public TokenStore in(Transaction tx) {
    return new TokenStore(database.within(tx));
  }

  /**
   * Add a token that reaches everything; empty if there is one with this hash.
   *
   * @param hash the SHA-256 of the token
   */
  public Optional<ApiToken> create(
      String name,
      byte[] hash,
      Collection<String> roles,
      Optional<Instant> expiresAt,
      ChangedBy by) {
    return create(name, hash, new Rights(roles, Scope.ALL), expiresAt, by);
  }

  /**
   * Add a token; empty if there is one with this hash.
   *
   * @param hash the SHA-256 of the token
   */
  public Optional<ApiToken> create(
      String name, byte[] hash, Rights rights, Optional<Instant> expiresAt, ChangedBy by) {
    check(name, hash, rights.roles);
    return database.inTransaction(
        tx -> {
          Optional<ApiToken> created = insert(tx, name, hash, rights, expiresAt, by);
          created.ifPresent(token -> audit(tx, "token.created", token, by));
          return created;
        });
  }

  private Optional<ApiToken> insert(
      Transaction tx,
      String name,
      byte[] hash,
      Rights rights,
      Optional<Instant> expiresAt,
      ChangedBy by) {
    return tx.first(
        "insert a token",
        """
        insert into carillon.api_token (id, name, hash, roles, scope, created_at, created_by, expires_at)
        values (gen_random_uuid(), :name, :hash, :roles, :scope::jsonb, :at, :by, :expires)
            on conflict (hash) do nothing
        returning id, name, roles, scope, created_at, created_by, expires_at, revoked_at, revoked_by, last_used_at
        """,
        bind ->
            bind.set("name", name)
                .set("hash", hash)
                .array("roles", "text", rights.stored(), role -> role)
                .set("scope", rights.scope.json())
                .by(by)
                .set("expires", expiresAt),
        TokenStore::toToken);
  }

  private static void check(String name, byte[] hash, Collection<String> roles) {
    if (name.isBlank() || name.length() > 200 || !StorableText.is(name)) {
      throw new IllegalArgumentException("a token needs a name of 1 to 200 characters");
    }
    if (hash.length != 32) {
      throw new IllegalArgumentException("a token is kept as its SHA-256, which has 32 bytes");
    }
    if (roles.isEmpty() || roles.size() > 20 || !roles.stream().allMatch(StorableText::is)) {
      throw new IllegalArgumentException("a token needs from 1 to 20 roles; was " + roles);
    }
  }

  /** Find the token with this hash, if it is valid at {@code now}. */
  public Optional<ApiToken> valid(byte[] hash, Instant now) {
    return database
        .first(
            "find a token by its hash",
            """
            select id, name, roles, scope, created_at, created_by, expires_at, revoked_at, revoked_by, last_used_at
              from carillon.api_token
             where hash = :hash
            """,
            bind -> bind.set("hash", hash),
            TokenStore::toToken)
        .filter(token -> token.isValid(now));
  }

  /** Record that a token was used, at most once a minute. */
  public void used(ApiToken token, Instant now) {
    if (token
        .lastUsedAt()
        .filter(last -> last.plus(LAST_USED_RESOLUTION).isAfter(now))
        .isPresent()) {
      return;
    }
    database.update(
        "record the use of a token",
        """
        update carillon.api_token
           set last_used_at = :now
         where id = :id
           and (last_used_at is null or last_used_at < :fresh)
        """,
        bind ->
            bind.set("id", token.id())
                .set("now", now)
                .set("fresh", now.minus(LAST_USED_RESOLUTION)));
  }

  /** Revoke a token; empty if there is none. A revoked one stays as it is. */
  public Optional<ApiToken> revoke(UUID id, ChangedBy by) {
    return database.inTransaction(
        tx -> {
          int revoked =
              tx.update(
                  "revoke a token",
                  """
                  update carillon.api_token
                     set revoked_at = :at, revoked_by = :by
                   where id = :id
                     and revoked_at is null
                  """,
                  bind -> bind.set("id", id).by(by));
          Optional<ApiToken> token = find(tx, id);
          if (revoked == 1) {
            token.ifPresent(revokedToken -> audit(tx, "token.revoked", revokedToken, by));
          }
          return token;
        });
  }

  /** Return those of {@code ids} whose tokens are revoked, or have expired by {@code now}. */
  public Set<UUID> ended(Collection<UUID> ids, Instant now) {
    return Set.copyOf(
        database.query(
            "find tokens that have ended",
            """
            select id
              from carillon.api_token
             where id = any(:ids)
               and (revoked_at is not null or expires_at <= :now)
            """,
            bind -> bind.array("ids", "uuid", ids, id -> id).set("now", now),
            row -> row.uuid("id")));
  }

  /** Find a token, valid or not. */
  public Optional<ApiToken> find(UUID id) {
    return find(database, id);
  }

  private static Optional<ApiToken> find(Statements statements, UUID id) {
    return statements.first(
        "find a token",
        """
        select id, name, roles, scope, created_at, created_by, expires_at, revoked_at, revoked_by, last_used_at
          from carillon.api_token
         where id = :id
        """,
        bind -> bind.set("id", id),
        TokenStore::toToken);
  }

  /** Tell whether there is a token that is valid at {@code now}. */
  public boolean anyValid(Instant now) {
    return database.one(
        "look for a valid token",
        """
        select exists (select 1
                         from carillon.api_token
                        where revoked_at is null
                          and (expires_at is null or expires_at > :now)) as any
        """,
        bind -> bind.set("now", now),
        row -> row.flag("any"));
  }

  /** Return a page of all tokens, valid or not, the newest first. */
  public Page<ApiToken> page(Optional<String> after, int limit) {
    Optional<UUID> last = after.map(token -> PageToken.uuid(PageToken.Of.TOKENS, token));
    Pages.checked(limit);
    return database.inTransaction(
        tx -> {
          PageRoom room = PageRoom.of(limit);
          List<ApiToken> found =
              room.read(
                  tx,
                  "list tokens",
                  """
                  select id, name, roles, scope, created_at, created_by, expires_at, revoked_at, revoked_by, last_used_at
                    from carillon.api_token
                   where :last::uuid is null
                      or (created_at, id) < (select last.created_at, last.id
                                               from carillon.api_token as last
                                              where last.id = :last)
                   order by created_at desc, id desc
                   limit :limit
                  """,
                  bind -> bind.set("last", last).set("limit", limit + 1),
                  TokenStore::toToken);
          return Pages.of(found, room, PageToken.Of.TOKENS, token -> token.id().toString());
        });
  }

  private static String role(String stored) {
    return stored.startsWith(SCOPED) ? stored.substring(SCOPED.length()) : stored;
  }

  private static ApiToken toToken(Row row) {
    return new ApiToken(
        row.uuid("id"),
        row.text("name"),
        row.texts("roles").stream().map(TokenStore::role).toList(),
        row.optionalJson("scope").map(Json::readObject).map(Scope::of).orElse(Scope.ALL),
        row.changedBy("created"),
        row.optionalInstant("expires_at"),
        row.optionalChangedBy("revoked"),
        row.optionalInstant("last_used_at"));
  }

  private void audit(Transaction tx, String action, ApiToken token, ChangedBy by) {
    var details = new LinkedHashMap<String, Object>();
    details.put("token", token.id().toString());
    details.put("name", token.name());
    details.put("roles", token.roles());
    if (!token.scope().isAll()) {
      details.put("scope", token.scope().kinds());
    }
    token.expiresAt().ifPresent(end -> details.put("expiresAt", end.toString()));
    AuditStore.insert(tx, List.of(AuditStore.Line.of(action, Map.copyOf(details))), by);
  }
}
