package dev.carillon.store.audit;

import dev.carillon.json.Json;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The audit log: who changed what. */
public final class AuditStore {
  private static final int MAX_LOOKED_AT = 10_000;

  private static final int AROUND = 10;

  private final Database database;

  public AuditStore(Database database) {
    this.database = database;
  }

  /** An entry to write, about an action such as {@code schedule.paused}. */
  public record Line(Optional<Long> schedule, String action, Map<String, ?> details) {
    public Line(long schedule, String action, Map<String, ?> details) {
      this(Optional.of(schedule), action, details);
    }

    /** Return an entry about no schedule. */
    public static Line of(String action, Map<String, ?> details) {
      return new Line(Optional.empty(), action, details);
    }
  }

  /** Write entries about a change. */
  public static void insert(Transaction tx, List<Line> lines, ChangedBy changedBy) {
    if (lines.isEmpty()) {
      return;
    }
    tx.later(
        "insert audit",
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select :at, :actor, line.action, line.schedule_id, line.details::jsonb
          from unnest(:schedules, :actions, :details) as line (schedule_id, action, details)
        """,
        bind ->
            bind.set("at", changedBy.at())
                .set("actor", changedBy.by())
                .each("schedules", "bigint", lines, Line::schedule)
                .each("actions", "text", lines, Line::action)
                .each("details", "text", lines, line -> Json.write(line.details)));
  }

  /** Return the entries that {@code filter} matches, newest first. */
  public List<AuditEntry> list(AuditFilter filter, int limit) {
    return database.query(
        "list audit",
        """
        select audit.id, audit.at, audit.actor, audit.action, schedule.key, audit.details
          from carillon.audit
          left join carillon.schedule
            on schedule.id = audit.schedule_id
         where (:schedule::text is null
                or audit.schedule_id = (select id from carillon.schedule where key = :schedule))
           and (:actor::text is null or audit.actor = :actor)
           and (:action::text is null or audit.action = :action)
           and (:scope::jsonb is null
                or exists (select 1
                             from carillon.schedule as reached
                             join carillon.schedule_version as version
                               on version.schedule_id = reached.id and version.version = reached.version
                            where reached.id = audit.schedule_id
                              and carillon.in_scope(:scope::jsonb, reached.key, version.target, version.tags)))
           and (:before::bigint is null or audit.id < :before)
         order by audit.id desc
         limit :limit
        """,
        bind ->
            bind.set("schedule", filter.schedule())
                .set("actor", filter.actor())
                .set("action", filter.action())
                .set("scope", filter.scope().json())
                .set("before", filter.before())
                .set("limit", limit),
        AuditStore::toEntry);
  }

  /**
   * Return when a schedule was paused, resumed or ended: the last times up to {@code at} and the
   * first times after it, oldest first.
   */
  public static List<AuditEntry> statusChanges(Statements statements, long schedule, Instant at) {
    return statements.query(
        "find changes of status around an instant",
        """
        with around as (
          (select id, at, actor, action, details
             from carillon.audit
            where schedule_id = :schedule
              and action in ('schedule.paused', 'schedule.pause_planned', 'schedule.resumed', 'schedule.retired',
                             'schedule.completed')  -- as the index says
              and at <= :at
            order by at desc, id desc
            limit :limit)
           union all
          (select id, at, actor, action, details
             from carillon.audit
            where schedule_id = :schedule
              and action in ('schedule.paused', 'schedule.pause_planned', 'schedule.resumed', 'schedule.retired',
                             'schedule.completed')
              and at > :at
            order by at, id
            limit :limit))
        select around.id, around.at, around.actor, around.action, schedule.key, around.details
          from around
          join carillon.schedule
            on schedule.id = :schedule
         order by around.at, around.id
        """,
        bind -> bind.set("schedule", schedule).set("at", at).set("limit", AROUND),
        AuditStore::toEntry);
  }

  private static AuditEntry toEntry(Row row) {
    return new AuditEntry(
        row.number("id"),
        new ChangedBy(row.instant("at"), row.text("actor")),
        row.text("action"),
        row.optionalText("key"),
        Json.readObject(row.optionalJson("details").orElse("{}")));
  }

  /**
   * Return a page of entries, newest first. Actors, actions and scopes have no index: a page looks
   * for them among at most ten thousand entries.
   */
  public Page<AuditEntry> page(AuditFilter filter, Optional<String> after, int limit) {
    Pages.checked(limit);
    long before =
        after
            .map(token -> PageToken.number(PageToken.Of.AUDIT, token))
            .or(filter::before)
            .orElse(Long.MAX_VALUE);
    if (filter.actor().isEmpty() && filter.action().isEmpty() && filter.scope().isAll()) {
      return database.inTransaction(
          tx -> {
            PageRoom room = PageRoom.of(limit);
            return Pages.of(
                between(tx, room, filter, before, 0, limit + 1),
                room,
                PageToken.Of.AUDIT,
                AuditStore::place);
          });
    }
    return database.inTransaction(
        tx -> {
          Pages.alongIndexes(tx);
          return look(tx, filter, before, limit);
        });
  }

  private Page<AuditEntry> look(Transaction tx, AuditFilter filter, long before, int limit) {
    Optional<Long> last = lastLookedAt(tx, filter, before);
    PageRoom room = PageRoom.of(limit);
    List<AuditEntry> found = between(tx, room, filter, before, last.orElse(0L), limit + 1);
    return room.isFull()
        ? Pages.of(found, room, PageToken.Of.AUDIT, AuditStore::place)
        : new Page<>(found, last.map(id -> PageToken.at(PageToken.Of.AUDIT, id.toString())));
  }

  private static String place(AuditEntry entry) {
    return Long.toString(entry.id());
  }

  /* Empty if there are no more entries. */
  private Optional<Long> lastLookedAt(Transaction tx, AuditFilter filter, long before) {
    return tx.first(
        "look at audit",
        """
        select min(id) as id
          from (select id
                  from carillon.audit
                 where id < :before
                   and (:schedule::text is null
                        or schedule_id = any(array(select id from carillon.schedule where key = any(:keys))))
                 order by id desc
                 limit :most) as looked
        having count(*) = :most
        """,
        bind -> bound(bind, filter, before).set("most", MAX_LOOKED_AT),
        row -> row.number("id"));
  }

  private List<AuditEntry> between(
      Transaction tx, PageRoom room, AuditFilter filter, long before, long last, int limit) {
    return room.read(
        tx,
        "list audit by page",
        """
        select audit.id, audit.at, audit.actor, audit.action, schedule.key, audit.details
          from carillon.audit
          left join carillon.schedule
            on schedule.id = audit.schedule_id
         where audit.id < :before
           and audit.id >= :last
           and (:schedule::text is null
                or audit.schedule_id = any(array(select id from carillon.schedule where key = any(:keys))))
           and (:actor::text is null or audit.actor = :actor)
           and (:action::text is null or audit.action = :action)
           and (:scope::jsonb is null
                or exists (select 1
                             from carillon.schedule as reached
                             join carillon.schedule_version as version
                               on version.schedule_id = reached.id and version.version = reached.version
                            where reached.id = audit.schedule_id
                              and carillon.in_scope(:scope::jsonb, reached.key, version.target, version.tags)))
         order by audit.id desc
         limit :limit
        """,
        bind ->
            bound(bind, filter, before)
                .set("last", last)
                .set("actor", filter.actor())
                .set("action", filter.action())
                .set("scope", filter.scope().json())
                .set("limit", limit),
        AuditStore::toEntry);
  }

  /* An array parameter makes Database plan the statement for its values. */
  private static Bind bound(Bind bind, AuditFilter filter, long before) {
    return bind.set("before", before)
        .set("schedule", filter.schedule())
        .array("keys", "text", filter.schedule().stream().toList(), key -> key);
  }
}
