package dev.carillon.store.schedule;

import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.model.VersionFilter;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads schedules and their versions. {@link ScheduleChanges} changes them. */
public final class ScheduleStore {
  /* Always asks for a payload, so that PostgreSQL plans it by the index, which has no retired ones. */
  public static final String BY_PAYLOAD =
      """
      with found as materialized (
        select *
          from carillon.current_schedule
         where payload @> :payload::jsonb
           and retired_at is null)
      select id, key, version, status, completed, pause_reason, paused_until, pause_from, coming_pause_reason,
             coming_pause_until, target, case when :payloads then payload end as payload, definition, tags,
             created_at, created_by, updated_at, updated_by, next_slot
        from found
       where (:after::text is null or key > :after)
         and (:status::text is null or status = :status)
         and (:completed::boolean is null or completed = :completed)
         and (:target::text is null or target = :target)
         and (:tag::text is null or :tag = any(tags))
         and (:text::text is null
              or key ilike :text
              or target ilike :text
              or definition ->> 'description' ilike :text)
         and (:scope::jsonb is null or carillon.in_scope(:scope::jsonb, key, target, tags))
       order by key
       limit :limit
      """;

  static final String BY_KEY =
      """
      select id, key, version, status, completed, pause_reason, paused_until, pause_from, coming_pause_reason,
             coming_pause_until, target, case when :payloads then payload end as payload, definition, tags,
             created_at, created_by, updated_at, updated_by, next_slot
        from carillon.current_schedule
       where (:after::text is null or key > :after)
         and (:last::text is null or key <= :last)
         and case when :status::text is null then status <> 'retired'
                  else status = :status end
         and (:completed::boolean is null or completed = :completed)
         and (:target::text is null or target = :target)
         and (:tag::text is null or :tag = any(tags))
         and (:text::text is null
              or key ilike :text
              or target ilike :text
              or definition ->> 'description' ilike :text)
         and (:scope::jsonb is null or carillon.in_scope(:scope::jsonb, key, target, tags))
         and (:payload::text = '{}' or payload @> :payload::jsonb)
       order by key
       limit :limit
      """;

  private static final int LATER_VERSIONS = 10;

  private final Database database;

  public ScheduleStore(Database database) {
    this.database = database;
  }

  static Schedule toSchedule(Row row) {
    ScheduleStatus status = row.constant("status", ScheduleStatus.class);
    return new Schedule(
        row.number("id"),
        row.text("key"),
        row.integer("version"),
        status,
        row.flag("completed"),
        row.optionalText("pause_reason")
            .map(reason -> new Pause(reason, row.optionalInstant("paused_until"))),
        status == ScheduleStatus.ACTIVE ? comingPause(row) : Optional.empty(),
        UnreadableDefinition.orRead(row),
        row.changedBy("created"),
        row.changedBy("updated"),
        row.optionalInstant("next_slot"));
  }

  private static Optional<Pause> comingPause(Row row) {
    Optional<Instant> from = row.optionalInstant("pause_from");
    return from.map(
        begin ->
            new Pause(
                row.text("coming_pause_reason"), from, row.optionalInstant("coming_pause_until")));
  }

  /** Find a schedule by its key. */
  public Optional<Schedule> find(String key) {
    return find(database, key);
  }

  /** Find a schedule by its key, as {@code statements} see it. */
  public static Optional<Schedule> find(Statements statements, String key) {
    if (!StorableText.is(key)) {
      return Optional.empty();
    }
    return statements.first(
        "find a schedule",
        """
        select *
          from carillon.current_schedule
         where key = :key
        """,
        bind -> bind.set("key", key),
        ScheduleStore::toSchedule);
  }

  /** Find those that have one of {@code keys}, are in {@code scope} and are not retired, by key. */
  public List<Schedule> named(List<String> keys, Scope scope) {
    return database.query(
        "find schedules by their keys",
        """
        select *
          from carillon.current_schedule
         where key = any(:keys)
           and status <> 'retired'
           and (:scope::jsonb is null or carillon.in_scope(:scope::jsonb, key, target, tags))
         order by key
        """,
        bind ->
            bind.array("keys", "text", keys.stream().filter(StorableText::is).toList(), key -> key)
                .set("scope", scope.json()),
        ScheduleStore::toSchedule);
  }

  /** Find a schedule by its number. */
  public Optional<Schedule> find(long id) {
    return find(database, id);
  }

  /** Find a schedule by its number, as {@code statements} see it. */
  public static Optional<Schedule> find(Statements statements, long id) {
    return statements.first(
        "find a schedule by its number",
        """
        select *
          from carillon.current_schedule
         where id = :id
        """,
        bind -> bind.set("id", id),
        ScheduleStore::toSchedule);
  }

  /**
   * Return a page of the schedules that {@code filter} matches; its after and limit are ignored.
   */
  public Page<Schedule> page(
      ScheduleFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    return new SchedulePages(database, SchedulePages.Effort.USUAL)
        .page(filter, after, limit, payloads);
  }

  /** Return the schedules that {@code filter} matches. */
  public List<Schedule> list(ScheduleFilter filter) {
    boolean byPayload =
        filter.payload().content().size() > 0
            && filter.status().filter(ScheduleStatus.RETIRED::equals).isEmpty();
    return database.query(
        byPayload ? "list schedules by payload" : "list schedules",
        byPayload ? BY_PAYLOAD : BY_KEY,
        bind -> {
          bind(bind, filter, filter.limit(), PayloadUse.INCLUDED).set("after", filter.after());
          if (!byPayload) {
            bind.set("last", Optional.empty());
          }
        },
        ScheduleStore::toSchedule);
  }

  static Bind bind(Bind bind, ScheduleFilter filter, int limit, PayloadUse payloads) {
    return bind.set("status", filter.status().map(EnumText::of))
        .set("completed", filter.completed())
        .set("target", filter.target())
        .set("tag", filter.tag())
        .set("text", filter.text().map(ScheduleStore::containing))
        .set("payload", filter.payload().json())
        .set("scope", filter.scope().json())
        .set("payloads", payloads == PayloadUse.INCLUDED)
        .set("limit", limit);
  }

  private static String containing(String text) {
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
  }

  /** Return the last thousand versions of a schedule, newest first. */
  public List<ScheduleVersion> versions(String key) {
    if (!StorableText.is(key)) {
      return List.of();
    }
    return database.query(
        "list versions",
        """
        select schedule.key, version.version, version.target, version.payload, version.definition, version.tags,
               version.created_at, version.created_by, version.supersedes, version.retired_at
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id
         where schedule.key = :key
         order by version.version desc
         limit 1000
        """,
        bind -> bind.set("key", key),
        ScheduleStore::toVersion);
  }

  /**
   * Return a page of the versions of a schedule that {@code filter} wants, newest first.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<ScheduleVersion> versions(
      VersionFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    Pages.checked(limit);
    Optional<Long> below =
        after
            .map(token -> PageToken.number(PageToken.Of.VERSIONS, token))
            .or(() -> filter.below().map(Long::valueOf));
    if (!StorableText.is(filter.key())) {
      return new Page<>(List.of(), Optional.empty());
    }
    return database.inTransaction(
        tx -> {
          PageRoom room = PageRoom.of(limit);
          List<ScheduleVersion> found =
              room.read(
                  tx,
                  "page versions",
                  """
                  select schedule.key, version.version, version.target,
                         case when :payloads then version.payload end as payload, version.definition, version.tags,
                         version.created_at, version.created_by, version.supersedes, version.retired_at
                    from carillon.schedule
                    join carillon.schedule_version as version
                      on version.schedule_id = schedule.id
                   where schedule.key = :key
                     and (:target::text is null or version.target = :target)
                     and (:scope::jsonb is null
                          or carillon.in_scope(:scope::jsonb, schedule.key, version.target, version.tags))
                     and (:below::bigint is null or version.version < :below)
                   order by version.version desc
                   limit :limit
                  """,
                  bind ->
                      bind.set("key", filter.key())
                          .set("target", filter.target())
                          .set("scope", filter.scope().json())
                          .set("below", below)
                          .set("payloads", payloads == PayloadUse.INCLUDED)
                          .set("limit", limit + 1),
                  ScheduleStore::toVersion);
          return Pages.of(
              found, room, PageToken.Of.VERSIONS, version -> Integer.toString(version.version()));
        });
  }

  /** Find a version of a schedule. */
  public static Optional<ScheduleVersion> version(Statements statements, String key, int version) {
    if (!StorableText.is(key)) {
      return Optional.empty();
    }
    return statements.first(
        "find a version",
        """
        select schedule.key, version.version, version.target, version.payload, version.definition,
               version.tags, version.created_at, version.created_by, version.supersedes, version.retired_at
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id
         where schedule.key = :key
           and version.version = :version
        """,
        bind -> bind.set("key", key).set("version", version),
        ScheduleStore::toVersion);
  }

  /**
   * Return the version that was made last before {@code at}, the first ones made later, and those
   * with {@code numbers}, all without their payloads.
   */
  public static List<ScheduleVersion> versionsAround(
      Statements statements, long schedule, Instant at, Collection<Integer> numbers) {
    return statements.query(
        "find versions around an instant",
        """
        with wanted as (
          (select version
             from carillon.schedule_version
            where schedule_id = :schedule
              and created_at < :at
            order by version desc
            limit 1)
           union
          (select version
             from carillon.schedule_version
            where schedule_id = :schedule
              and created_at >= :at
            order by version
            limit :later)
           union
          select unnest((select :numbers)))
        select schedule.key, version.version, version.target, null as payload, version.definition, version.tags,
               version.created_at, version.created_by, version.supersedes, version.retired_at
          from wanted
          join carillon.schedule_version as version
            on version.schedule_id = :schedule and version.version = wanted.version
          join carillon.schedule
            on schedule.id = :schedule
         order by version.version
        """,
        bind ->
            bind.set("schedule", schedule)
                .set("at", at)
                .set("later", LATER_VERSIONS)
                .each("numbers", "int", List.copyOf(numbers), number -> number),
        ScheduleStore::toVersion);
  }

  private static ScheduleVersion toVersion(Row row) {
    return new ScheduleVersion(
        row.integer("version"),
        UnreadableDefinition.orRead(row),
        row.changedBy("created"),
        row.optionalInteger("supersedes"),
        row.optionalInstant("retired_at"));
  }
}
