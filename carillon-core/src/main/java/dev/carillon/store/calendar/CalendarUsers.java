package dev.carillon.store.calendar;

import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.jdbc.Statements;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Finds who uses calendars and quiet hours: schedules that are not retired, and calendars. */
final class CalendarUsers {
  private final Statements statements;

  CalendarUsers(Statements statements) {
    this.statements = statements;
  }

  Users of(String calendar, Scope scope, int most) {
    if (!StorableText.is(calendar)) {
      return new Users(0, List.of(), List.of());
    }
    Map<String, Long> schedules =
        statements.map(
            "find schedules that use a calendar",
            """
            select schedule.key, count(*) over () as total
              from carillon.schedule_version as version
              join carillon.schedule
                on schedule.id = version.schedule_id and schedule.version = version.version
             where version.retired_at is null
               and carillon.calendar_names(version.definition) <> '{}'
               and carillon.calendar_names(version.definition) @> array[:name]::text[]
               and (:scope::jsonb is null
                    or carillon.in_scope(:scope::jsonb, schedule.key, version.target, version.tags))
             order by schedule.key
             limit :limit
            """,
            bind -> bind.set("name", calendar).set("scope", scope.json()).set("limit", most),
            row -> row.text("key"),
            row -> row.number("total"));
    return users(schedules, combining(calendar));
  }

  Users ofQuietHours(String name, Scope scope, int most) {
    if (!StorableText.is(name)) {
      return new Users(0, List.of(), List.of());
    }
    Map<String, Long> schedules =
        statements.map(
            "find schedules that name quiet hours",
            """
            select schedule.key, count(*) over () as total
              from carillon.schedule_version as version
              join carillon.schedule
                on schedule.id = version.schedule_id and schedule.version = version.version
             where version.retired_at is null
               and version.definition ->> 'quietHours' is not null
               and version.definition ->> 'quietHours' = :name
               and (:scope::jsonb is null
                    or carillon.in_scope(:scope::jsonb, schedule.key, version.target, version.tags))
             order by schedule.key
             limit :limit
            """,
            bind -> bind.set("name", name).set("scope", scope.json()).set("limit", most),
            row -> row.text("key"),
            row -> row.number("total"));
    return users(schedules, List.of());
  }

  /**
   * Return the first schedules that fire when the hours of one of {@code calendars} open or close.
   */
  List<String> byHours(Collection<String> calendars, int most) {
    return statements.query(
        "find schedules that fire when hours open or close",
        """
        select schedule.key
          from carillon.schedule_version as version
          join carillon.schedule
            on schedule.id = version.schedule_id and schedule.version = version.version
         where version.retired_at is null
           and carillon.calendar_names(version.definition) <> '{}'
           and carillon.calendar_names(version.definition) && :names::text[]
           and version.definition #>> '{timing,calendar}' = any(:names)
           and version.definition #>> '{timing,at}' in ('open', 'close')
         order by schedule.key
         limit :limit
        """,
        bind -> bind.array("names", "text", calendars, name -> name).set("limit", most),
        row -> row.text("key"));
  }

  private static Users users(Map<String, Long> schedules, List<String> calendars) {
    long total = schedules.values().stream().findFirst().orElse(0L);
    return new Users(total, List.copyOf(schedules.keySet()), calendars);
  }

  /** Return the calendars that combine {@code calendar}, in order. */
  List<String> combining(String calendar) {
    return statements.query(
        "find calendars that combine one",
        """
        select calendar.name
          from carillon.calendar
          join carillon.calendar_version as version
            on version.name = calendar.name and version.version = calendar.version
         where calendar.deleted_at is null
           and version.combines @> array[:name]::text[]
         order by calendar.name
        """,
        bind -> bind.set("name", calendar),
        row -> row.text("name"));
  }
}
