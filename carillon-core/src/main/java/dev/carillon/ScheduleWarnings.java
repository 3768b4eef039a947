package dev.carillon;

import dev.carillon.model.Definition;
import dev.carillon.plan.DefinitionCheck;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.time.Warning;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is odd about the calendars and quiet hours of a schedule, which may change without it. */
final class ScheduleWarnings {
  private ScheduleWarnings() {}

  static List<Warning> of(RuleBook book, String key, Definition definition, Instant now) {
    Optional<Warning> never =
        DefinitionCheck.neverFires(definition, book.ruleOrNone(definition), key, now)
            .map(why -> new Warning("never_fires", "it " + why));
    return Stream.concat(book.warnings(definition, now).stream(), never.stream()).toList();
  }
}
