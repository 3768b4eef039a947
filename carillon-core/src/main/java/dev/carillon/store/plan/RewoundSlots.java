package dev.carillon.store.plan;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Payload;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.plan.PlanStore.CursorRow;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Slots of schedules whose cursors were set back that have a run already, or stay decided: they
 * were missed, or are part of a run that was due. Decided are the slots of the version that was in
 * force then: another may name more between them.
 */
final class RewoundSlots {
  private static final int MAX_SLOTS = 20_000;

  private final Map<Long, SortedSet<Instant>> runs = new HashMap<>();
  private final Map<Long, List<Stretch>> decided = new HashMap<>();

  private record Stretch(Instant first, Instant last, Optional<Timing> named) {
    /* Its ends are decided whatever is known of the timing that named them. */
    boolean decides(Instant slot) {
      return slot.equals(first)
          || slot.equals(last)
          || named.filter(timing -> !timing.matches(slot)).isEmpty();
    }
  }

  RewoundSlots(Statements statements, List<CursorRow> rewound) {
    if (!rewound.isEmpty()) {
      List<Long> ids = rewound.stream().map(CursorRow::scheduleId).toList();
      findRuns(statements, ids);
      findDecided(statements, ids);
    }
  }

  /** Return the slots of {@code current} after where planning stands that are settled. */
  SortedSet<Instant> settled(CursorRow cursor, Timing current) {
    var slots = new TreeSet<Instant>(runs.getOrDefault(cursor.scheduleId(), new TreeSet<>()));
    for (Stretch stretch : decided.getOrDefault(cursor.scheduleId(), List.of())) {
      current.between(stretch.first.minusNanos(1), stretch.last).stream()
          .filter(stretch::decides)
          .filter(slot -> slot.isAfter(cursor.plannedThrough()))
          .limit(MAX_SLOTS)
          .forEach(slots::add);
    }
    return slots;
  }

  private void findRuns(Statements statements, List<Long> ids) {
    statements.query(
        "find slots that have runs",
        """
        select any_run.schedule_id, any_run.slot
          from carillon.cursor
          join carillon.any_run
            on any_run.schedule_id = cursor.schedule_id
           and any_run.slot > cursor.planned_through
           and any_run.slot <= cursor.rewound_from
           and any_run.ordinal = 0
         where cursor.schedule_id = any(:ids)
           and cursor.rewound_from is not null
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row ->
            runs.computeIfAbsent(row.number("schedule_id"), id -> new TreeSet<>())
                .add(row.instant("slot")));
  }

  private void findDecided(Statements statements, List<Long> ids) {
    statements.query(
        "find slots that are decided",
        """
        select cursor.schedule_id, decision.first_slot, decision.last_slot, schedule.key,
               named.definition::text as definition
          from carillon.cursor
         cross join lateral (
               (select first_slot, last_slot, reason, version
                  from carillon.decision
                 where schedule_id = cursor.schedule_id
                   and first_slot > cursor.planned_through)
                union all
               (select first_slot, last_slot, reason, version
                  from carillon.decision
                 where schedule_id = cursor.schedule_id
                   and first_slot <= cursor.planned_through
                 order by first_slot desc
                 limit 1)) as decision
          join carillon.schedule
            on schedule.id = cursor.schedule_id
          left join carillon.schedule_version as named
            on named.schedule_id = cursor.schedule_id and named.version = decision.version
         where cursor.schedule_id = any(:ids)
           and decision.last_slot > cursor.planned_through
           and decision.reason in ('missed', 'limit', 'merged')
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row ->
            decided
                .computeIfAbsent(row.number("schedule_id"), id -> new ArrayList<>())
                .add(
                    new Stretch(
                        row.instant("first_slot"),
                        row.instant("last_slot"),
                        row.optionalText("definition")
                            .map(stored -> timing(row.text("key"), stored)))));
  }

  private static Timing timing(String key, String stored) {
    return DefinitionFields.restore(key, "", Payload.EMPTY, stored, List.of()).timing();
  }
}
