package dev.carillon.store.schedule;

import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.List;

/** Ranges of slots that have no run, and why. */
public final class DecisionStore {
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /* A change while slots were decided about ahead may leave some that overlap. */
  private static final int AROUND = 32;

  private final Database database;

  public DecisionStore(Database database) {
    this.database = database;
  }

  /** A decision to write, about slots of a version of a schedule. */
  public record Line(long schedule, int version, DroppedSlots droppedSlots) {}

  /** Write decisions. A slot that was decided about before keeps its decision. */
  public static void insert(Transaction tx, List<Line> lines, Instant now) {
    if (lines.isEmpty()) {
      return;
    }
    tx.update(
        "insert decisions",
        """
        insert into carillon.decision (schedule_id, first_slot, last_slot, slots, reason, version, decided_at)
        select line.schedule_id, line.first_slot, line.last_slot, line.slots, line.reason, line.version, :now
          from unnest(:schedules, :firsts, :lasts, :slots, :reasons, :versions)
            as line (schedule_id, first_slot, last_slot, slots, reason, version)
            on conflict do nothing
        """,
        bind ->
            bind.set("now", now)
                .array("schedules", "bigint", lines, Line::schedule)
                .array("firsts", "timestamptz", lines, line -> line.droppedSlots.first())
                .array("lasts", "timestamptz", lines, line -> line.droppedSlots.last())
                .array("slots", "bigint", lines, line -> line.droppedSlots.slots())
                .array("reasons", "text", lines, line -> EnumText.of(line.droppedSlots.reason()))
                .array("versions", "int", lines, Line::version));
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
               decision.decided_at
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

  /**
   * Return the last decisions that begin by {@code at}, the latest first, and the first after it.
   * Decisions are about different slots, so one of the last is about {@code at}, if any is.
   */
  public static List<Decision> around(Statements statements, long schedule, Instant at) {
    return statements.query(
        "find decisions around an instant",
        """
        (select first_slot, last_slot, slots, reason, version, decided_at
           from carillon.decision
          where schedule_id = :schedule
            and first_slot <= :at
          order by first_slot desc
          limit :limit)
         union all
        (select first_slot, last_slot, slots, reason, version, decided_at
           from carillon.decision
          where schedule_id = :schedule
            and first_slot > :at
          order by first_slot
          limit 1)
        """,
        bind -> bind.set("schedule", schedule).set("at", bounded(at)).set("limit", AROUND),
        DecisionStore::toDecision);
  }

  private static Decision toDecision(Row row) {
    return new Decision(
        new DroppedSlots(
            row.instant("first_slot"),
            row.instant("last_slot"),
            row.number("slots"),
            row.constant("reason", DroppedSlots.Reason.class)),
        row.integer("version"),
        row.instant("decided_at"));
  }

  /* Java has instants that PostgreSQL does not. */
  private static Instant bounded(Instant at) {
    return at.isBefore(FIRST) ? FIRST : at.isAfter(LAST) ? LAST : at;
  }
}
