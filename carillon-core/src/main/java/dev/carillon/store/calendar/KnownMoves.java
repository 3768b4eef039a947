package dev.carillon.store.calendar;

import static java.util.Comparator.naturalOrder;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Payload;
import dev.carillon.plan.DueMoves;
import dev.carillon.plan.Standing;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Reads what was decided before about schedules whose due times are moved. */
public final class KnownMoves {
  private static final int MAX_SLOTS = 20_000;

  private KnownMoves() {}

  /** Return what moves each of {@code standings}, with what was decided before. */
  public static Map<Long, DueMoves> of(Statements statements, List<Standing> standings) {
    List<Standing> merging =
        standings.stream().filter(one -> DueMoves.mayMerge(one.moves().rule())).toList();
    if (merging.isEmpty()) {
      return Map.of();
    }
    var heldBack = new HashMap<Long, Map<Instant, Instant>>();
    Map<Long, SortedSet<Instant>> runs = earlierRuns(statements, merging, heldBack);
    Map<Long, SortedSet<Instant>> decided = decided(statements, merging);
    var moves = new HashMap<Long, DueMoves>();
    merging.forEach(
        one ->
            moves.put(
                one.scheduleId(),
                new DueMoves(
                    one.moves().rule(),
                    runs.getOrDefault(one.scheduleId(), new TreeSet<>()),
                    decided.getOrDefault(one.scheduleId(), new TreeSet<>()),
                    heldBack.getOrDefault(one.scheduleId(), Map.of()))));
    return moves;
  }

  /* Where no run is due before its slot, only those that are due later than what is planned. */
  private static Map<Long, SortedSet<Instant>> earlierRuns(
      Statements statements, List<Standing> merging, Map<Long, Map<Instant, Instant>> heldBack) {
    List<Standing> standings = merging.stream().filter(KnownMoves::mayMeetEarlier).toList();
    if (standings.isEmpty()) {
      return Map.of();
    }
    var rules = new HashMap<Long, DueRule>();
    standings.forEach(one -> rules.put(one.scheduleId(), one.moves().rule()));
    var slots = new HashMap<Long, SortedSet<Instant>>();
    statements.query(
        "find runs that slots may be merged into",
        """
        select wanted.id, earlier.slot, earlier.due_at
          from (select id, through, through - seconds * interval '1 second' as since,
                       case when advances = 1 then '-infinity' else through end as due_after
                  from unnest(:ids, :throughs, :seconds, :advances) as given (id, through, seconds, advances)) as wanted
         cross join lateral (
               (select slot, due_at
                  from carillon.run
                 where schedule_id = wanted.id
                   and slot <= wanted.through
                   and (slot > wanted.since and due_at > wanted.due_after
                        -- late, and held back until quiet time ends
                        or state = 'pending' and due_at > wanted.through)
                   and ordinal = 0
                   and trigger = 'scheduled'
                 order by slot desc
                 limit :most)
                union all
               (select slot, due_at
                  from carillon.history
                 where schedule_id = wanted.id
                   and slot > wanted.since
                   and slot <= wanted.through
                   and slot > :earliest  -- the same for all: then other partitions are not looked at
                   and slot <= :latest
                   and due_at > wanted.due_after
                   and ordinal = 0
                   and trigger = 'scheduled'
                 order by slot desc
                 limit :most)) as earlier
        """,
        bind ->
            bind.set("most", MAX_SLOTS)
                .set("earliest", standings.stream().map(KnownMoves::since).min(naturalOrder()))
                .set("latest", standings.stream().map(Standing::plannedThrough).max(naturalOrder()))
                .array("ids", "bigint", standings, Standing::scheduleId)
                .array("throughs", "timestamptz", standings, Standing::plannedThrough)
                .array("seconds", "bigint", standings, KnownMoves::secondsBack)
                .array("advances", "int", standings, one -> advances(one) ? 1 : 0),
        row -> {
          long id = row.number("id");
          Instant slot = row.instant("slot");
          Instant dueAt = row.instant("due_at");
          if (isEndForAll(Optional.ofNullable(rules.get(id)).orElse(DueRule.NONE), dueAt)) {
            heldBack.computeIfAbsent(id, any -> new HashMap<>()).putIfAbsent(dueAt, slot);
          }
          return slots.computeIfAbsent(id, any -> new TreeSet<>()).add(slot);
        });
    return slots;
  }

  private static boolean mayMeetEarlier(Standing standing) {
    return advances(standing) || standing.moves().rule().mayBeDueAfter(standing.plannedThrough());
  }

  private static boolean advances(Standing standing) {
    return !standing.moves().rule().maxAdvance().isZero();
  }

  /* Whether quiet time ends then, for which all that is late then waits as one run. */
  private static boolean isEndForAll(DueRule rule, Instant dueAt) {
    return rule.heldBack(dueAt.minus(1, ChronoUnit.MICROS))
        .filter(DueRule.HeldBack::together)
        .filter(held -> held.due() instanceof Due.At at && at.at().equals(dueAt))
        .isPresent();
  }

  private static Instant since(Standing standing) {
    return standing.plannedThrough().minusSeconds(secondsBack(standing));
  }

  private static long secondsBack(Standing standing) {
    DueRule rule = standing.moves().rule();
    return rule.maxAdvance().plus(rule.maxDelay()).toSeconds() + 2;
  }

  private static Map<Long, SortedSet<Instant>> decided(
      Statements statements, List<Standing> standings) {
    var byId = new HashMap<Long, Standing>();
    standings.stream()
        .filter(one -> advances(one) || !one.settled().isEmpty())
        .forEach(one -> byId.put(one.scheduleId(), one));
    if (byId.isEmpty()) {
      return Map.of();
    }
    var slots = new HashMap<Long, SortedSet<Instant>>();
    statements.query(
        "find slots that stay decided",
        """
        select wanted.id, decision.first_slot, decision.last_slot, decision.version, schedule.key,
               named.definition::text as definition
          from unnest(:ids, :throughs) as wanted (id, through)
         cross join lateral (
               (select first_slot, last_slot, reason, version
                  from carillon.decision
                 where schedule_id = wanted.id
                   and first_slot > wanted.through)
                union all
               (select first_slot, last_slot, reason, version
                  from carillon.decision
                 where schedule_id = wanted.id
                   and first_slot <= wanted.through
                 order by first_slot desc
                 limit 1)) as decision
          join carillon.schedule
            on schedule.id = wanted.id
          left join carillon.schedule_version as named
            on named.schedule_id = wanted.id and named.version = decision.version
         where decision.last_slot > wanted.through
           and decision.reason in ('missed', 'limit', 'merged')
        """,
        bind ->
            bind.array("ids", "bigint", byId.keySet(), id -> id)
                .array("throughs", "timestamptz", byId.values(), Standing::plannedThrough),
        row -> {
          Standing standing = byId.get(row.number("id"));
          return standing != null
              && slots
                  .computeIfAbsent(row.number("id"), id -> new TreeSet<>())
                  .addAll(
                      standing
                          .definition()
                          .timing()
                          .between(
                              row.instant("first_slot").minusNanos(1), row.instant("last_slot"))
                          .stream()
                          .filter(slot -> slot.isAfter(standing.plannedThrough()))
                          .filter(slotsOf(row, standing))
                          .limit(MAX_SLOTS)
                          .toList());
        });
    return slots;
  }

  /* An earlier version may have named other slots. */
  private static Predicate<Instant> slotsOf(Row row, Standing standing) {
    if (row.integer("version") == standing.version()) {
      return slot -> true;
    }
    Optional<Timing> named =
        row.optionalText("definition")
            .map(
                stored ->
                    DefinitionFields.restore(row.text("key"), "", Payload.EMPTY, stored, List.of())
                        .timing());
    return slot -> named.filter(timing -> !timing.matches(slot)).isEmpty();
  }
}
