package dev.carillon.store.calendar;

import dev.carillon.definition.BusinessTimeJson;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.business.BusinessCalendar;
import java.util.List;
import java.util.Optional;

/** Calendars and all their versions. */
public final class CalendarStore {
  private CalendarStore() {}

  /** Return a calendar as it is now. */
  public static Optional<CalendarVersion> find(Statements statements, String name) {
    return StorableText.is(name)
        ? statements.first(
            "find calendar",
            """
            select name, version, definition::text as definition, updated_at, updated_by
              from carillon.calendar
             where name = :name
            """,
            bind -> bind.set("name", name),
            row -> version(row, "updated"))
        : Optional.empty();
  }

  /** Return all calendars as they are now, by name. */
  public static List<CalendarVersion> list(Statements statements) {
    return statements.query(
        "list calendars",
        """
        select name, version, definition::text as definition, updated_at, updated_by
          from carillon.calendar
         order by name
        """,
        row -> version(row, "updated"));
  }

  /** Return what a calendar ever said, newest first, without its deletions. */
  public static List<CalendarVersion> versions(Statements statements, String name) {
    return StorableText.is(name)
        ? statements.query(
            "list versions of calendar",
            """
            select name, version, definition::text as definition, created_at, created_by
              from carillon.calendar_version
             where name = :name
               and definition is not null
             order by version desc
            """,
            bind -> bind.set("name", name),
            row -> version(row, "created"))
        : List.of();
  }

  private static CalendarVersion version(Row row, String action) {
    return new CalendarVersion(
        RuleBooks.calendar(row.text("name"), row.text("definition")),
        row.integer("version"),
        row.changedBy(action));
  }

  /** Make a new version and return its number; the calendars are locked. */
  public static int save(Transaction tx, BusinessCalendar calendar, ChangedBy by) {
    return tx.one(
        "save calendar",
        """
        with version as (
          insert into carillon.calendar_version (name, version, definition, created_at, created_by)
          select :name, coalesce(max(version), 0) + 1, :definition::jsonb, :at, :by
            from carillon.calendar_version
           where name = :name
          returning name, version, definition, created_at, created_by)
        insert into carillon.calendar (name, version, definition, updated_at, updated_by)
        select name, version, definition, created_at, created_by
          from version
            on conflict (name) do update
           set version = excluded.version, definition = excluded.definition, updated_at = excluded.updated_at,
               updated_by = excluded.updated_by
        returning version
        """,
        bind ->
            bind.set("name", calendar.name())
                .set("definition", BusinessTimeJson.write(calendar))
                .set("at", by.at())
                .set("by", by.by()),
        row -> row.integer("version"));
  }

  /** Delete a calendar, whose versions stay; the calendars are locked. */
  public static boolean delete(Transaction tx, String name, ChangedBy by) {
    return tx.update(
            "delete calendar",
            """
            with gone as (
              delete from carillon.calendar
               where name = :name
              returning name, version)
            insert into carillon.calendar_version (name, version, definition, created_at, created_by)
            select name, version + 1, null, :at, :by
              from gone
            """,
            bind -> bind.set("name", name).set("at", by.at()).set("by", by.by()))
        > 0;
  }
}
