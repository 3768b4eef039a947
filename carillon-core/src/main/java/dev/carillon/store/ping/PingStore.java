package dev.carillon.store.ping;

import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.model.Ping;
import dev.carillon.model.PingCheck;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.policy.PingExpectation;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.Cron;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks on work that runs elsewhere, and their last hundred pings. */
public final class PingStore {
  private static final int KEPT = 100;

  private final Statements statements;

  /** Read and write by {@code statements}; what locks needs a transaction. */
  public PingStore(Statements statements) {
    this.statements = statements;
  }

  /** Find a check. */
  public Optional<PingCheck> find(String key) {
    return !StorableText.is(key)
        ? Optional.empty()
        : statements.first(
            "find a ping check",
            """
            select key, expect, escalate_to, description, tags, created_at, created_by, updated_at, updated_by,
                   last_start, last_success, last_fail, down_since
              from carillon.ping_check
             where key = :key
            """,
            bind -> bind.set("key", key),
            PingStore::toCheck);
  }

  /** Find a check and lock it: against other pings and the judgement, which skips it. */
  public Optional<PingCheck> lock(String key) {
    return !StorableText.is(key)
        ? Optional.empty()
        : statements.first(
            "lock a ping check",
            """
            select key, expect, escalate_to, description, tags, created_at, created_by, updated_at, updated_by,
                   last_start, last_success, last_fail, down_since
              from carillon.ping_check
             where key = :key
               for update
            """,
            bind -> bind.set("key", key),
            PingStore::toCheck);
  }

  /** Lock up to {@code limit} checks to look at, those that wait longest first. */
  public List<PingCheck> lockDue(Instant now, int limit) {
    return statements.query(
        "lock ping checks",
        """
        select key, expect, escalate_to, description, tags, created_at, created_by, updated_at, updated_by,
               last_start, last_success, last_fail, down_since
          from carillon.ping_check  -- against pings, which wait, and other nodes, which skip it
         where check_at <= :now
         order by check_at
         limit :limit
           for update skip locked
        """,
        bind -> bind.set("now", now).set("limit", limit),
        PingStore::toCheck);
  }

  /** Return when the next check is to be looked at. */
  public Optional<Instant> next() {
    return statements.first(
        "find the next ping check",
        """
        select check_at
          from carillon.ping_check
         where check_at < 'infinity'
         order by check_at
         limit 1
        """,
        bind -> {},
        row -> row.instant("check_at"));
  }

  /** Return a page of the checks that {@code scope} reaches, by key. */
  public Page<PingCheck> page(Scope scope, Optional<String> after, int limit) {
    Optional<String> last = after.map(token -> PageToken.text(PageToken.Of.PINGS, token));
    List<PingCheck> found =
        statements.query(
            "list ping checks",
            """
            select key, expect, escalate_to, description, tags, created_at, created_by, updated_at, updated_by,
                   last_start, last_success, last_fail, down_since
              from carillon.ping_check
             where (:last::text is null or key > :last)
               and (:scope::jsonb is null
                    or (:scope::jsonb -> 'targets' is null
                        and carillon.in_scope(:scope::jsonb, key, null, tags)))
             order by key
             limit :limit
            """,
            bind ->
                bind.set("last", last)
                    .set("scope", scope.json())
                    .set("limit", Pages.checked(limit) + 1),
            PingStore::toCheck);
    return Pages.of(found, limit, PageToken.Of.PINGS, PingCheck::key);
  }

  /** Insert or replace what a check says; its clock starts anew. */
  public void put(
      String key,
      PingExpectation expect,
      Optional<String> escalateTo,
      String description,
      List<String> tags,
      ChangedBy by) {
    statements.update(
        "put a ping check",
        """
        insert into carillon.ping_check
               (key, expect, escalate_to, description, tags, created_at, created_by, updated_at, updated_by, check_at)
        values (:key, :expect::jsonb, :escalateTo, :description,
                array(select jsonb_array_elements_text(:tags::jsonb)), :at, :by, :at, :by, :at)
            on conflict (key) do update
           set expect = excluded.expect, escalate_to = excluded.escalate_to, description = excluded.description,
               tags = excluded.tags, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
               check_at = excluded.check_at
        """,
        bind ->
            bind.set("key", key)
                .set("expect", write(expect))
                .set("escalateTo", escalateTo)
                .set("description", description)
                .set("tags", Json.write(tags))
                .by(by));
    audit("ping.defined", key, by);
  }

  /** Delete a locked check and its pings. */
  public void delete(String key, ChangedBy by) {
    statements.update(
        "delete pings", "delete from carillon.ping where key = :key", bind -> bind.set("key", key));
    statements.update(
        "delete a ping check",
        "delete from carillon.ping_check where key = :key",
        bind -> bind.set("key", key));
    audit("ping.deleted", key, by);
  }

  private void audit(String action, String key, ChangedBy by) {
    if (statements instanceof Transaction tx) {
      AuditStore.insert(tx, List.of(AuditStore.Line.of(action, Map.of("ping", key))), by);
    }
  }

  /** Count the pings of a check after {@code after}, of those that are kept. */
  public long count(String key, Instant after) {
    return statements.one(
        "count pings",
        """
        select count(*) as many
          from carillon.ping
         where key = :key
           and at > :after
        """,
        bind -> bind.set("key", key).set("after", after),
        row -> row.number("many"));
  }

  /** Record a ping of a locked check, which is looked at by {@code now}. */
  public void insert(PingCheck check, Ping ping, Instant now) {
    statements.update(
        "insert a ping",
        """
        insert into carillon.ping (key, at, kind, duration, exit_code, output)
        values (:key, :at, :kind, :duration::interval, :exitCode, :output)
        """,
        bind ->
            bind.set("key", check.key())
                .set("at", ping.at())
                .set("kind", EnumText.of(ping.kind()))
                .set("duration", ping.duration().map(Duration::toString))
                .set("exitCode", ping.exitCode())
                .set("output", ping.output()));
    statements.update(
        "drop old pings",
        """
        delete from carillon.ping
         where key = :key
           and id <= (select id
                        from carillon.ping
                       where key = :key
                       order by id desc
                      offset :kept
                       limit 1)
        """,
        bind -> bind.set("key", check.key()).set("kept", KEPT));
    statements.update(
        "note a ping",
        """
        update carillon.ping_check
           set last_start = case when :kind = 'start' then :at else last_start end,
               last_success = case when :kind = 'success' then :at else last_success end,
               last_fail = case when :kind = 'fail' then :at else last_fail end,
               check_at = case when :kind = 'start' then check_at else :now end
         where key = :key
        """,
        bind ->
            bind.set("key", check.key())
                .set("at", ping.at())
                .set("now", now)
                .set("kind", EnumText.of(ping.kind())));
  }

  /** Write what was found about a locked check. */
  public void update(String key, Optional<Instant> checkAt, Optional<Instant> downSince) {
    statements.update(
        "update a ping check",
        """
        update carillon.ping_check
           set check_at = coalesce(:checkAt::timestamptz, 'infinity'), down_since = :downSince::timestamptz
         where key = :key
        """,
        bind -> bind.set("key", key).set("checkAt", checkAt).set("downSince", downSince));
  }

  /** Return the last pings of a check, the newest first. */
  public List<Ping> recent(String key) {
    return statements.query(
        "list pings",
        """
        select at, kind, round(extract(epoch from duration) * 1000)::bigint as millis, exit_code, output
          from carillon.ping
         where key = :key
         order by id desc
         limit :kept
        """,
        bind -> bind.set("key", key).set("kept", KEPT),
        row ->
            new Ping(
                row.instant("at"),
                row.constant("kind", Ping.Kind.class),
                row.optionalNumber("millis").map(Duration::ofMillis),
                row.optionalInteger("exit_code"),
                row.optionalText("output")));
  }

  private static PingCheck toCheck(Row row) {
    return new PingCheck(
        row.text("key"),
        read(row.text("expect"), row.text("key")),
        row.optionalText("escalate_to"),
        row.text("description"),
        row.texts("tags"),
        row.changedBy("created"),
        row.changedBy("updated"),
        row.optionalInstant("last_start"),
        row.optionalInstant("last_success"),
        row.optionalInstant("last_fail"),
        row.optionalInstant("down_since"));
  }

  private static String write(PingExpectation expect) {
    var json = new LinkedHashMap<String, Object>();
    expect.successEvery().ifPresent(time -> json.put("successEvery", time.toString()));
    expect
        .cron()
        .ifPresent(
            cron -> {
              json.put("cron", cron.expression());
              json.put("zone", cron.zone().getId());
            });
    json.put("grace", expect.grace().toString());
    return Json.write(json);
  }

  private static PingExpectation read(String text, String key) {
    Map<String, ?> json = Json.readObject(text);
    return new PingExpectation(
        Optional.ofNullable(json.get("successEvery")).map(time -> Duration.parse((String) time)),
        Optional.ofNullable(json.get("cron"))
            .map(
                expression ->
                    Cron.parse(
                        (String) expression, Zones.of(String.valueOf(json.get("zone"))), key)),
        Duration.parse(String.valueOf(json.get("grace"))));
  }
}
