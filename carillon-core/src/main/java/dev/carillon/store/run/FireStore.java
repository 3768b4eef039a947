package dev.carillon.store.run;

import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.Trigger;
import dev.carillon.plan.DueMoves;
import dev.carillon.plan.Forecast;
import dev.carillon.plan.Standing;
import dev.carillon.plan.explain.NearRun;
import dev.carillon.store.calendar.KnownMoves;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Reads the runs of the slots of a schedule. */
public final class FireStore {
  /* Enough to find a slot among runs that were asked for besides. */
  private static final int AROUND = 20;

  /* A calendar or quiet hours may move runs over so many others. */
  private static final int NEAR = 1_000;

  private final Database database;

  public FireStore(Database database) {
    this.database = database;
  }

  /** The run of a slot, and why it failed, was canceled or skipped. */
  public record SlotRun(
      RunId id, int version, Instant dueAt, RunState state, Optional<String> reason) {}

  /** Return the runs of the slots from {@code from} to {@code to}, oldest first. */
  public List<SlotRun> runs(long schedule, Instant from, Instant to, int limit) {
    return database.query(
        "list runs of slots",
        """
        select schedule_id, slot, ordinal, version, due_at, state, reason, failure_code, failure_message
          from carillon.any_run
         where schedule_id = :schedule
           and slot >= :from
           and slot <= :to
           and ordinal = 0
         order by slot
         limit :limit
        """,
        bind -> bind.set("schedule", schedule).set("from", from).set("to", to).set("limit", limit),
        row ->
            new SlotRun(
                RunRows.toId(row),
                row.integer("version"),
                row.instant("due_at"),
                row.constant("state", RunState.class),
                reason(row)));
  }

  /**
   * Return the last runs of a schedule up to {@code at}, newest first, and the first ones after it.
   * Runs that were asked for besides the slots are among them.
   */
  public static List<NearRun> around(Statements statements, long schedule, Instant at) {
    return statements.query(
        "find runs around an instant",
        """
        (select schedule_id, slot, ordinal, version, trigger, due_at, state, reason, failure_code, failure_message,
                created_by
           from carillon.any_run
          where schedule_id = :schedule
            and slot <= :at
          order by slot desc
          limit :limit)
         union all
        (select schedule_id, slot, ordinal, version, trigger, due_at, state, reason, failure_code, failure_message,
                created_by
           from carillon.any_run
          where schedule_id = :schedule
            and slot > :at
          order by slot
          limit :limit)
        """,
        bind -> bind.set("schedule", schedule).set("at", at).set("limit", AROUND),
        FireStore::near);
  }

  /** Return runs of slots that are due from {@code from} until before {@code to}, near to it. */
  public static List<NearRun> due(Statements statements, long schedule, Instant from, Instant to) {
    return statements.query(
        "find runs that are due at an instant",
        """
        select schedule_id, slot, ordinal, version, trigger, due_at, state, reason, failure_code, failure_message,
               created_by
          from ((select *
                   from carillon.any_run
                  where schedule_id = :schedule
                    and slot <= :from
                  order by slot desc
                  limit :near)
                 union all
                (select *
                   from carillon.any_run
                  where schedule_id = :schedule
                    and slot > :from
                  order by slot
                  limit :near)) as near
         where ordinal = 0
           and due_at >= :from
           and due_at < :to
         order by slot
         limit :limit
        """,
        bind ->
            bind.set("schedule", schedule)
                .set("from", from)
                .set("to", to)
                .set("near", NEAR)
                .set("limit", AROUND),
        FireStore::near);
  }

  private static NearRun near(Row row) {
    return new NearRun(
        RunRows.toId(row),
        row.integer("version"),
        row.constant("trigger", Trigger.class),
        row.instant("due_at"),
        row.constant("state", RunState.class),
        reason(row),
        row.optionalText("created_by"));
  }

  private static Optional<String> reason(Row row) {
    return row.optionalText("reason")
        .or(() -> row.optionalText("failure_code").map(code -> failure(row, code)));
  }

  private static String failure(Row row, String code) {
    return row.optionalText("failure_message")
        .filter(message -> !message.isEmpty())
        .map(message -> code + ": " + message)
        .orElse(code);
  }

  /** Return the forecast of a schedule from its cursor on. */
  public Forecast forecast(Statements statements, Schedule schedule, Instant now) {
    return statements
        .first(
            "read a cursor",
            """
            select planned_through, planned_runs, next_slot is not null as open,
                   coalesce((select revision
                               from carillon.business_time), 0) as revision
              from carillon.cursor
             where schedule_id = :schedule
            """,
            bind -> bind.set("schedule", schedule.id()),
            row ->
                new Cursor(
                    row.instant("planned_through"),
                    row.number("planned_runs"),
                    row.flag("open"),
                    row.number("revision")))
        .map(
            cursor ->
                new Forecast(schedule, standing(statements, schedule, cursor), cursor.open, now))
        .orElseThrow();
  }

  private record Cursor(Instant plannedThrough, long plannedRuns, boolean open, long revision) {}

  private Standing standing(Statements statements, Schedule schedule, Cursor cursor) {
    var standing =
        new Standing(
            schedule.id(),
            schedule.key(),
            schedule.version(),
            schedule.definition(),
            cursor.plannedThrough,
            slots(statements, schedule.id(), cursor.plannedThrough),
            cursor.plannedRuns,
            schedule.plannedPause().flatMap(Pause::from));
    DueRule rule = rule(statements, schedule.definition(), cursor.revision);
    if (rule == DueRule.NONE) {
      return standing;
    }
    Standing moving = standing.moving(DueMoves.by(rule));
    return moving.moving(
        KnownMoves.of(statements, List.of(moving)).getOrDefault(schedule.id(), moving.moves()));
  }

  /** Return when slots of {@code definition} are due, as things stand. */
  public DueRule rule(Statements statements, Definition definition) {
    return RuleBooks.read(statements).ruleOrNone(definition);
  }

  private static DueRule rule(Statements statements, Definition definition, long revision) {
    return revision == 0 ? DueRule.NONE : RuleBooks.read(statements).ruleOrNone(definition);
  }

  /** Return the slots after {@code after} that have a run. */
  public NavigableSet<Instant> slots(Statements statements, long schedule, Instant after) {
    return new TreeSet<>(
        statements.query(
            "find slots to come with runs",
            """
            select slot
              from carillon.any_run
             where schedule_id = :schedule
               and slot > :after
               and ordinal = 0
            """,
            bind -> bind.set("schedule", schedule).set("after", after),
            row -> row.instant("slot")));
  }
}
