package dev.carillon.store.schedule;

import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Ranges of slots that have no run, and why. */
public final class DecisionStore {
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /* A change while slots were decided about ahead may leave some that overlap. */
  private static final int AROUND = 16;
  private static final int LOOKED_AT = 300;

  private final Database database;

  public DecisionStore(Database database) {
    this.database = database;
  }

  /** A decision to write, about slots of a version of a schedule. */
  public record Line(long schedule, int version, DroppedSlots droppedSlots) {}

  /**
   * Add slots to the decisions that end with the slot before them, if those are about the same.
   *
   * @param previous the slot before the first of each line
   * @return those that were not added to any
   */
  public static List<Line> extend(
      Transaction tx, List<Line> lines, Function<Line, Optional<Instant>> previous) {
    if (lines.isEmpty()) {
      return lines;
    }
    var extended =
        new HashSet<>(
            tx.query(
                "extend decisions",
                """
                update carillon.decision
                   set last_slot = line.last_slot, slots = decision.slots + line.slots
                  from unnest(:schedules, :firsts, :lasts, :slots, :reasons, :versions, :policies, :into, :previous)
                    as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into, previous)
                 cross join lateral (
                       select first_slot
                         from carillon.decision
                        where schedule_id = line.schedule_id
                          and first_slot <= line.previous
                        order by first_slot desc
                        limit 1) as before
                 where decision.schedule_id = line.schedule_id
                   and decision.first_slot = before.first_slot
                   and decision.last_slot = line.previous
                   and decision.reason = line.reason
                   and decision.version = line.version
                   and decision.policy is not distinct from line.policy
                   and decision.merged_into is not distinct from line.merged_into
                returning line.schedule_id, line.first_slot
                """,
                bind ->
                    bindLines(bind, lines).array("previous", "timestamptz", lines, previous::apply),
                row -> Map.entry(row.number("schedule_id"), row.instant("first_slot"))));
    return lines.stream()
        .filter(line -> !extended.contains(Map.entry(line.schedule, line.droppedSlots.first())))
        .toList();
  }

  private static Bind bindLines(Bind bind, List<Line> lines) {
    return bind.array("schedules", "bigint", lines, Line::schedule)
        .array("firsts", "timestamptz", lines, line -> line.droppedSlots.first())
        .array("lasts", "timestamptz", lines, line -> line.droppedSlots.last())
        .array("slots", "bigint", lines, line -> line.droppedSlots.slots())
        .array("reasons", "text", lines, line -> EnumText.of(line.droppedSlots.reason()))
        .array("versions", "int", lines, Line::version)
        .array("policies", "text", lines, line -> line.droppedSlots.by())
        .array("into", "timestamptz", lines, line -> line.droppedSlots.mergedInto());
  }

  /** Write decisions. A slot that was decided about before keeps its decision. */
  public static void insert(Transaction tx, List<Line> lines, Instant now) {
    List<Line> left = lines;
    while (!left.isEmpty()) {
      Set<Map.Entry<Long, Instant>> written = written(tx, left, now);
      List<Line> refused =
          left.stream()
              .filter(
                  line -> !written.contains(Map.entry(line.schedule, line.droppedSlots.first())))
              .toList();
      left = new DecidedBefore(tx).rest(refused);
    }
  }

  private static Set<Map.Entry<Long, Instant>> written(
      Transaction tx, List<Line> lines, Instant now) {
    return new HashSet<>(
        tx.query(
            "insert decisions",
            """
            insert into carillon.decision
                   (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into, decided_at)
            select line.schedule_id, line.first_slot, line.last_slot, line.slots, line.reason, line.version,
                   line.policy, line.merged_into, :now
              from unnest(:schedules, :firsts, :lasts, :slots, :reasons, :versions, :policies, :into)
                as line (schedule_id, first_slot, last_slot, slots, reason, version, policy, merged_into)
                on conflict do nothing
            returning schedule_id, first_slot
            """,
            bind -> bindLines(bind.set("now", now), lines),
            row -> Map.entry(row.number("schedule_id"), row.instant("first_slot"))));
  }

  /** Return the decisions about slots from {@code from} to {@code to}, oldest first. */
  public List<Decision> list(String key, Instant from, Instant to, int limit) {
    if (!StorableText.is(key)) {
      return List.of();
    }
    return database.query(
        "list decisions",
        """
        select decision.first_slot, decision.last_slot, decision.slots, decision.reason, decision.version,
               decision.policy, decision.merged_into, decision.decided_at
          from carillon.schedule
          join carillon.decision
            on decision.schedule_id = schedule.id
         where schedule.key = :key
           and decision.first_slot <= :to
           and decision.last_slot >= :from
         order by decision.first_slot
         limit :limit
        """,
        bind ->
            bind.set("key", key)
                .set("from", bounded(from))
                .set("to", bounded(to))
                .set("limit", limit),
        DecisionStore::toDecision);
  }

  /** Count the slots of schedules in {@code scope} that were dropped since then, by reason. */
  public Map<DroppedSlots.Reason, Long> countSince(Instant since, Scope scope) {
    var counts = new EnumMap<DroppedSlots.Reason, Long>(DroppedSlots.Reason.class);
    database.query(
        "count dropped slots",
        """
        select reason, sum(slots)::bigint as slots
          from carillon.decision
         where decided_at >= :since
           and (:scope::jsonb is null
                or exists (select 1
                             from carillon.current_schedule as schedule
                            where schedule.id = decision.schedule_id
                              and carillon.in_scope(:scope::jsonb, schedule.key, schedule.target, schedule.tags)))
         group by reason
        """,
        bind -> bind.set("since", since).set("scope", scope.json()),
        row ->
            counts.merge(
                row.constant("reason", DroppedSlots.Reason.class), row.number("slots"), Long::sum));
    return counts;
  }

  /**
   * Return the last decisions that begin by {@code at}, the latest first, and the first after it.
   * Slots of an earlier version may have been decided about ahead of time, so that others lie
   * between: of more of those that begin by {@code at}, the last to end are among them.
   */
  public static List<Decision> around(Statements statements, long schedule, Instant at) {
    return statements.query(
        "find decisions around an instant",
        """
        with before as (
          select first_slot, last_slot, slots, reason, policy, merged_into, version, decided_at,
                 row_number() over (order by first_slot desc) as by_begin,
                 row_number() over (order by last_slot desc) as by_end
            from (select *
                    from carillon.decision
                   where schedule_id = :schedule
                     and first_slot <= :at
                   order by first_slot desc
                   limit :most) as latest)
        (select first_slot, last_slot, slots, reason, policy, merged_into, version, decided_at
           from before
          where by_begin <= :limit
             or by_end <= :limit
          order by first_slot desc)
         union all
        (select first_slot, last_slot, slots, reason, policy, merged_into, version, decided_at
           from carillon.decision
          where schedule_id = :schedule
            and first_slot > :at
          order by first_slot
          limit 1)
        """,
        bind ->
            bind.set("schedule", schedule)
                .set("at", bounded(at))
                .set("most", LOOKED_AT)
                .set("limit", AROUND),
        DecisionStore::toDecision);
  }

  private static Decision toDecision(Row row) {
    return new Decision(
        new DroppedSlots(
            row.instant("first_slot"),
            row.instant("last_slot"),
            row.number("slots"),
            row.constant("reason", DroppedSlots.Reason.class),
            row.optionalText("policy"),
            row.optionalInstant("merged_into")),
        row.integer("version"),
        row.instant("decided_at"));
  }

  /* Java has instants that PostgreSQL does not. */
  private static Instant bounded(Instant at) {
    return at.isBefore(FIRST) ? FIRST : at.isAfter(LAST) ? LAST : at;
  }
}
