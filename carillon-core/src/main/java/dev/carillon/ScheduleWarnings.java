package dev.carillon;

import dev.carillon.model.Definition;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.time.Warning;
import java.time.Instant;
import java.util.List;

/** What is odd about the calendars of a schedule, which may change without it. */
final class ScheduleWarnings {
  private ScheduleWarnings() {}

  static List<Warning> of(Statements statements, Definition definition, Instant now) {
    return definition.calendarNames().isEmpty()
        ? List.of()
        : RuleBooks.read(statements).warnings(definition, now);
  }
}
