package dev.carillon;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.definition.FieldChange;
import dev.carillon.model.Definition;
import dev.carillon.model.DryRun;
import dev.carillon.model.Fire;
import dev.carillon.model.Saved;
import dev.carillon.model.Saved.Change;
import dev.carillon.model.Schedule;
import dev.carillon.model.Stamp;
import dev.carillon.store.Database;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.Transaction;
import dev.carillon.time.Lint;
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
final class Rehearsal {
  private static final Duration AHEAD = Duration.ofDays(30);
  private static final int MOST_SHOWN = 100;
  private static final int MOST_LOOKED_AT = 100_000;

  private final Database database;
  private final ScheduleStore schedules;
  private final Fires fires;

  Rehearsal(Database database, ScheduleStore schedules, Fires fires) {
    this.database = database;
    this.schedules = schedules;
    this.fires = fires;
  }

  DryRun of(String key, Definition definition, Stamp by) {
    return database.rehearse(
        tx -> {
          Optional<Schedule> before = schedules.hold(tx, key).map(Map.Entry::getKey);
          Stream<Fire> usual =
              before.map(schedule -> coming(tx, schedule, by.at())).orElse(Stream.empty());
          Saved saved = schedules.save(tx, key, definition, by);
          Merged.Difference difference =
              saved.change() == Change.UNCHANGED
                  ? new Merged.Difference(List.of(), List.of())
                  : Merged.difference(
                      usual, coming(tx, saved.schedule(), by.at()), MOST_SHOWN, MOST_LOOKED_AT);
          return new DryRun(
              saved.change(),
              saved.schedule().version(),
              changed(before, saved),
              Lint.of(definition.timing(), by.at()),
              difference.gained(),
              difference.lost(),
              before.map(Schedule::definition),
              saved.schedule().definition());
        });
  }

  /* What the stream needs of the database is read by then; the slots are found as they are read. */
  private Stream<Fire> coming(Transaction tx, Schedule schedule, Instant now) {
    return fires.coming(tx, schedule, now, now.plus(AHEAD), now);
  }

  private List<String> changed(Optional<Schedule> before, Saved saved) {
    if (before.isEmpty() || saved.change() == Change.UNCHANGED) {
      return List.of();
    }
    Schedule old = before.get();
    var changed =
        DefinitionFields.changes(old.definition(), saved.schedule().definition()).stream()
            .map(FieldChange::field)
            .sorted()
            .collect(Collectors.toCollection(ArrayList::new));
    if (old.status() != saved.schedule().status()) {
      changed.add("status");
    }
    return changed;
  }
}
