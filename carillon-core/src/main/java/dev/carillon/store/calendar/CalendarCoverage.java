package dev.carillon.store.calendar;

import dev.carillon.store.jdbc.Statements;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

/** Tells for how long the holidays of calendars are known. */
public final class CalendarCoverage {
  /** How many days before the holidays of a calendar end that is warned of. */
  public static final int WARNED_DAYS = 60;

  private CalendarCoverage() {}

  /**
   * Return the days from {@code now} until the holidays are not known any more, by calendar in use
   * that says so, the fewest first; negative if that is past. A calendar is in use if a schedule
   * names it, or one that combines it.
   */
  public static Map<String, Long> daysLeft(Statements statements, Instant now, int most) {
    return statements.map(
        "find calendars whose holidays end",
        """
        select calendar.name, (version.coverage_until - :today::date)::bigint as days
          from carillon.calendar
          join carillon.calendar_version as version
            on version.name = calendar.name and version.version = calendar.version
         where calendar.deleted_at is null
           and version.coverage_until is not null
           and exists (
                 select 1
                   from carillon.schedule_version as used
                  where used.retired_at is null
                    and carillon.calendar_names(used.definition) <> '{}'
                    and carillon.calendar_names(used.definition)
                        && array(select calendar.name
                                  union all
                                 select other.name
                                   from carillon.calendar as other
                                   join carillon.calendar_version as combination
                                     on combination.name = other.name and combination.version = other.version
                                  where other.deleted_at is null
                                    and combination.combines @> array[calendar.name]))
         order by version.coverage_until, calendar.name
         limit :most
        """,
        bind ->
            bind.set("today", now.atOffset(ZoneOffset.UTC).toLocalDate().toString())
                .set("most", most),
        row -> row.text("name"),
        row -> row.number("days"));
  }
}
