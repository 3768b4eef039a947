package dev.carillon;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.definition.FieldChange;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.DryRun;
import dev.carillon.model.Payload;
import dev.carillon.model.Schedule;
import dev.carillon.model.Scope;
import dev.carillon.model.SlotOutcome;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.template.RunPayload;
import dev.carillon.time.Lint;
import dev.carillon.time.Warning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stores a definition for real, looks at what came of it, and takes everything back: so a dry run
 * refuses what storing would refuse, and knows what storing would do.
 */
final class DryRunner {
  private static final Duration AHEAD = Duration.ofDays(30);
  private static final int MAX_SHOWN = 100;
  private static final int MAX_LOOKED_AT = 100_000;

  private final Database database;
  private final Fires fires;
  private final Scope scope;

  DryRunner(Database database, Fires fires, Scope scope) {
    this.database = database;
    this.fires = fires;
    this.scope = scope;
  }

  DryRun of(String key, Definition definition, ChangedBy by) {
    return database.rehearse(
        tx -> {
          Optional<Schedule> before =
              new ScheduleChanges(tx, scope).lock(key).map(Map.Entry::getKey);
          Stream<SlotOutcome> usual =
              before.map(schedule -> coming(tx, schedule, by.at())).orElse(Stream.empty());
          ChangeResult changeResult = new ScheduleChanges(tx, scope).save(key, definition, by);
          FireMerge.Difference difference =
              changeResult.change() == Change.UNCHANGED
                  ? FireMerge.Difference.NONE
                  : FireMerge.difference(
                      usual,
                      coming(tx, changeResult.schedule(), by.at()),
                      MAX_SHOWN,
                      MAX_LOOKED_AT);
          return new DryRun(
              changeResult.change(),
              changeResult.schedule().version(),
              changed(before, changeResult),
              warnings(tx, key, definition, by.at()),
              difference.gained(),
              difference.lost(),
              difference.moved(),
              before.map(Schedule::definition),
              changeResult.schedule().definition(),
              example(tx, changeResult.schedule(), by.at()));
        });
  }

  private static List<Warning> warnings(
      Transaction tx, String key, Definition definition, Instant now) {
    return Stream.concat(
            Lint.of(definition.timing(), now).stream(),
            ScheduleWarnings.of(RuleBooks.read(tx), key, definition, now).stream())
        .toList();
  }

  private Optional<Payload> example(Transaction tx, Schedule schedule, Instant now) {
    return schedule.definition().policy().template().isEmpty()
        ? Optional.empty()
        : coming(tx, schedule, now)
            .findFirst()
            .flatMap(
                next ->
                    RunPayload.example(
                        schedule.key(), schedule.definition(), next.slot(), next.dueAt()));
  }

  /* What the stream needs of the database is read by then; the slots are found as they are read. */
  private Stream<SlotOutcome> coming(Transaction tx, Schedule schedule, Instant now) {
    return fires.coming(tx, schedule, now, now.plus(AHEAD), now);
  }

  private List<String> changed(Optional<Schedule> before, ChangeResult changeResult) {
    if (before.isEmpty() || changeResult.change() == Change.UNCHANGED) {
      return List.of();
    }
    Schedule old = before.get();
    var changed =
        DefinitionFields.changes(old.definition(), changeResult.schedule().definition()).stream()
            .map(FieldChange::field)
            .sorted()
            .collect(Collectors.toCollection(ArrayList::new));
    if (old.status() != changeResult.schedule().status()) {
      changed.add("status");
    }
    return changed;
  }
}
