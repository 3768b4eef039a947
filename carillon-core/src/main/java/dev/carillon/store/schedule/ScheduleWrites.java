package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.json.Json;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The statements that change schedules and their versions. */
final class ScheduleWrites {
  /* Planners poll at least this often; only earlier slots need an announcement. */
  private static final Duration ANNOUNCED_IF_WITHIN = Duration.ofMinutes(2);

  private final Transaction tx;

  ScheduleWrites(Transaction tx) {
    this.tx = tx;
  }

  /** A version to write. */
  record Version(long schedule, int version, Definition definition, Optional<Integer> supersedes) {}

  /** A status to write; {@code completed} if the schedule is retired for lack of slots. */
  record StatusChange(
      long schedule, ScheduleStatus status, Optional<Pause> pause, boolean completed) {}

  /** Insert schedules whose keys are free, and return the numbers of those by key. */
  Map<String, Long> insert(Collection<String> keys, ChangedBy by) {
    return tx.map(
        "insert schedules",
        """
        insert into carillon.schedule (key, version, created_at, created_by, updated_at, updated_by)
        select key, 1, :at, :by, :at, :by
          from unnest(:keys) as new (key)
         order by key  -- so that two inserts of the same keys do not deadlock
            on conflict (key) do nothing
        returning id, key
        """,
        bind -> bind.by(by).each("keys", "text", keys, key -> key),
        row -> row.text("key"),
        row -> row.number("id"));
  }

  void insertVersions(List<Version> versions, ChangedBy by) {
    tx.update(
        "insert versions",
        """
        insert into carillon.schedule_version
               (schedule_id, version, target, payload, definition, tags, supersedes, created_at, created_by)
        select new.schedule_id, new.version, new.target, new.payload::jsonb, new.definition::jsonb,
               case when new.tags = '[]' then '{}' else array(select jsonb_array_elements_text(new.tags::jsonb)) end,
               new.supersedes, :at, :by
          from unnest(:schedules, :versions, :targets, :payloads, :definitions, :tags, :supersedes)
            as new (schedule_id, version, target, payload, definition, tags, supersedes)
        """,
        bind ->
            bind.by(by)
                .each("schedules", "bigint", versions, Version::schedule)
                .each("versions", "int", versions, Version::version)
                .each("targets", "text", versions, version -> version.definition.target())
                .each("payloads", "text", versions, version -> version.definition.payload().json())
                .each(
                    "definitions",
                    "text",
                    versions,
                    version -> DefinitionFields.store(version.definition))
                .each("tags", "text", versions, version -> Json.write(version.definition.tags()))
                .each("supersedes", "int", versions, version -> version.supersedes.orElse(null)));
    ExpectationStore.insert(
        tx,
        versions.stream()
            .filter(version -> version.definition.expect().isPresent())
            .map(Version::schedule)
            .toList(),
        by.at());
  }

  void retireVersions(Collection<Long> schedules, Instant now) {
    tx.later(
        "retire versions",
        """
        update carillon.schedule_version as version
           set retired_at = :now
          from carillon.schedule
         where schedule.id = any(:ids)
           and version.schedule_id = schedule.id
           and version.version = schedule.version
           and version.retired_at is null
        """,
        bind -> bind.set("now", now).array("ids", "bigint", schedules, id -> id));
  }

  void setVersion(long schedule, int version, ChangedBy by) {
    tx.update(
        "set the version",
        """
        update carillon.schedule
           set version = :version, updated_at = :at, updated_by = :by
         where id = :id
        """,
        bind -> bind.set("id", schedule).set("version", version).by(by));
  }

  void setStatus(
      List<LockedSchedule> schedules,
      ScheduleStatus status,
      Function<LockedSchedule, Optional<Pause>> pause,
      ChangedBy by) {
    setStatus(
        schedules.stream()
            .map(locked -> new StatusChange(locked.id(), status, pause.apply(locked), false))
            .toList(),
        by);
  }

  void setStatus(List<StatusChange> changes, ChangedBy by) {
    tx.update(
        "set statuses",
        """
        update carillon.schedule
           set status = change.status, pause_reason = change.reason, paused_until = change.until,
               pause_from = null, coming_pause_reason = null, coming_pause_until = null,
               completed = change.completed, updated_at = :at, updated_by = :by
          from unnest(:ids, :statuses, :reasons, :untils, :completed)
            as change (id, status, reason, until, completed)
         where schedule.id = change.id
        """,
        bind ->
            bind.by(by)
                .array("ids", "bigint", changes, StatusChange::schedule)
                .array("statuses", "text", changes, change -> EnumText.of(change.status))
                .array("reasons", "text", changes, change -> change.pause.map(Pause::reason))
                .array(
                    "untils", "timestamptz", changes, change -> change.pause.flatMap(Pause::until))
                .array("completed", "boolean", changes, StatusChange::completed));
  }

  void audit(
      List<LockedSchedule> schedules,
      String action,
      Function<LockedSchedule, Map<String, ?>> details,
      ChangedBy by) {
    AuditStore.insert(
        tx,
        schedules.stream()
            .map(locked -> new AuditStore.Line(locked.id(), action, details.apply(locked)))
            .toList(),
        by);
  }

  void setComingPause(Collection<Long> schedules, Pause pause, ChangedBy by) {
    tx.update(
        "set coming pauses",
        """
        update carillon.schedule
           set pause_from = :from, coming_pause_reason = :reason, coming_pause_until = :until,
               updated_at = :at, updated_by = :by
         where id = any(:ids)
           and status = 'active'
        """,
        bind ->
            bind.set("from", pause.from())
                .set("reason", pause.reason())
                .set("until", pause.until())
                .by(by)
                .array("ids", "bigint", schedules, id -> id));
  }

  /** Tell whether two payloads are equal in PostgreSQL, where 1 and 1.0 are. */
  boolean isSame(String payload, String other) {
    return payload.equals(other)
        || tx.query(
                "compare payloads",
                "select :one::jsonb = :other::jsonb as same",
                bind -> bind.set("one", payload).set("other", other),
                row -> row.flag("same"))
            .contains(true);
  }

  void resetFailures(Collection<Long> schedules) {
    tx.update(
        "reset failures",
        """
        delete from carillon.failure_streak
         where schedule_id = any(:ids)
        """,
        bind -> bind.array("ids", "bigint", schedules, id -> id));
  }

  /** Announce to the planners of all nodes, after the commit, that one of {@code slots} is near. */
  void announce(Collection<Optional<Instant>> slots, Instant now) {
    Instant soon = now.plus(ANNOUNCED_IF_WITHIN);
    if (slots.stream().anyMatch(slot -> slot.filter(at -> at.isBefore(soon)).isPresent())) {
      Announcement.PLAN.publish(tx);
    }
  }
}
