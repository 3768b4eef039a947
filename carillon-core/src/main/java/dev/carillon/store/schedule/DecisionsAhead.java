package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.policy.Pacing;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.Every;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decisions of calendars and quiet hours about slots that have not come, of schedules whose cursors
 * are locked.
 */
final class DecisionsAhead {
  private final Transaction tx;

  DecisionsAhead(Transaction tx) {
    this.tx = tx;
  }

  private record Ahead(long schedule, int version, DroppedSlots dropped, Instant decidedAt) {}

  /**
   * Take back what was decided about the slots of each schedule after an instant, so that it is
   * decided anew. What was merged into a run that is due by {@code now} stays, as it is part of
   * that run, and so does what an earlier version decided about slots up to then.
   *
   * @return the numbers of schedules of which something was taken back
   */
  Set<Long> takeBack(Map<LockedSchedule, Instant> after, Instant now) {
    List<Ahead> ahead = find(after, now);
    if (ahead.isEmpty()) {
      return Set.of();
    }
    delete(ahead);
    Map<Long, LockedSchedule> byId = new HashMap<>();
    after.keySet().forEach(locked -> byId.put(locked.id(), locked));
    for (Ahead one : ahead) {
      Optional.ofNullable(byId.get(one.schedule))
          .flatMap(
              locked ->
                  Optional.ofNullable(after.get(locked))
                      .flatMap(instant -> before(locked, one, instant)))
          .ifPresent(line -> DecisionStore.insert(tx, List.of(line), one.decidedAt));
    }
    return ahead.stream().map(Ahead::schedule).collect(Collectors.toSet());
  }

  private List<Ahead> find(Map<LockedSchedule, Instant> after, Instant now) {
    List<Map.Entry<LockedSchedule, Instant>> each = List.copyOf(after.entrySet());
    return tx.query(
        "find decisions to take back",
        """
        select wanted.id, decision.*
          from unnest(:ids, :afters) as wanted (id, after)
         cross join lateral (
               (select *
                  from carillon.decision
                 where schedule_id = wanted.id
                   and first_slot > wanted.after)
                union all
               (select *
                  from carillon.decision
                 where schedule_id = wanted.id
                   and first_slot <= wanted.after
                 order by first_slot desc
                 limit 1)) as decision
         where decision.last_slot > wanted.after
           and (decision.last_slot > :now
                or decision.version = (select schedule.version from carillon.schedule where schedule.id = wanted.id))
           and (decision.reason in ('calendar', 'quiet_hours')
                or (decision.reason = 'outside_window' and decision.policy is not null)
                or (decision.reason = 'merged'
                    and not exists (select
                                      from carillon.any_run
                                     where any_run.schedule_id = wanted.id
                                       and any_run.slot = decision.merged_into
                                       and any_run.ordinal = 0
                                       and (any_run.state <> 'pending' or any_run.attempt > 0 or any_run.due_at <= :now))))
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", each, one -> one.getKey().id())
                .array("afters", "timestamptz", each, Map.Entry::getValue),
        DecisionsAhead::ahead);
  }

  private static Ahead ahead(Row row) {
    return new Ahead(
        row.number("id"),
        row.integer("version"),
        new DroppedSlots(
            row.instant("first_slot"),
            row.instant("last_slot"),
            row.number("slots"),
            row.constant("reason", DroppedSlots.Reason.class),
            row.optionalText("policy"),
            row.optionalInstant("merged_into")),
        row.instant("decided_at"));
  }

  private void delete(List<Ahead> ahead) {
    tx.update(
        "take back decisions",
        """
        delete from carillon.decision
         using unnest(:ids, :firsts) as taken (id, first_slot)
         where decision.schedule_id = taken.id
           and decision.first_slot = taken.first_slot
        """,
        bind ->
            bind.array("ids", "bigint", ahead, Ahead::schedule)
                .array("firsts", "timestamptz", ahead, one -> one.dropped.first()));
  }

  /* The slots of a stretch that have come stay decided. */
  private static Optional<DecisionStore.Line> before(
      LockedSchedule locked, Ahead one, Instant after) {
    if (one.dropped.first().isAfter(after)) {
      return Optional.empty();
    }
    List<Instant> slots = slots(locked.definition(), one.dropped, after);
    return Optional.of(
        new DecisionStore.Line(
            one.schedule,
            one.version,
            new DroppedSlots(
                one.dropped.first(),
                slots.get(slots.size() - 1),
                slots.size(),
                one.dropped.reason(),
                one.dropped.by(),
                one.dropped.mergedInto())));
  }

  /* After the end of a run, slots that are left out are a period apart from the first one on. */
  private static List<Instant> slots(Definition definition, DroppedSlots dropped, Instant after) {
    Timing timing = definition.timing();
    if (definition.pacing() == Pacing.FINISH && timing instanceof Every every) {
      timing = new Every(every.period(), dropped.first());
    }
    List<Instant> slots =
        timing.between(dropped.first().minusNanos(1), after).stream()
            .limit(dropped.slots())
            .toList();
    return slots.isEmpty() ? List.of(dropped.first()) : slots;
  }

  private record Kept(Instant first, Instant last, Timing timing) {}

  /** Return the slots after {@code after} up to {@code through} that stay decided. */
  Set<Instant> kept(LockedSchedule locked, Instant after, Instant through) {
    var slots = new TreeSet<Instant>();
    var ranges =
        new ArrayList<>(
            tx.query(
                "find slots of a stretch that stay decided",
                """
                select decision.first_slot, decision.last_slot, schedule.key, version.target, version.payload,
                       version.definition, version.tags
                  from carillon.decision
                  join carillon.schedule
                    on schedule.id = decision.schedule_id
                  join carillon.schedule_version as version
                    on version.schedule_id = decision.schedule_id and version.version = decision.version
                 where decision.schedule_id = :id
                   and decision.last_slot > :after
                   and decision.first_slot <= :through
                   and decision.reason in ('missed', 'limit', 'merged')
                """,
                bind -> bind.set("id", locked.id()).set("after", after).set("through", through),
                row ->
                    new Kept(
                        row.instant("first_slot"),
                        row.instant("last_slot"),
                        DefinitionColumns.read(row).timing())));
    for (Kept range : ranges) {
      range.timing.between(range.first.minusNanos(1), range.last).stream()
          .filter(slot -> slot.isAfter(after) && !slot.isAfter(through))
          .forEach(slots::add);
    }
    return slots;
  }
}
