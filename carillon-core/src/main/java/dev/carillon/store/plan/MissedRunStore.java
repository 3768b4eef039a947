package dev.carillon.store.plan;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.MissedRuns;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.PlanStore.Candidate;
import dev.carillon.store.run.RunRows;
import dev.carillon.store.run.UnstartedRuns;
import dev.carillon.store.run.UnstartedRuns.Unstarted;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Applies catch-up to planned runs that became due while no node was alive: they stay, are spread
 * out, or end as skipped with the reason.
 *
 * <p>Runs that were due before the outage stay, as do requested runs and those measured from the
 * end of a run: they are only late.
 */
public final class MissedRunStore {
  /* The most runs that a transaction reads, ends, or spreads (and those of one more schedule). */
  private static final int PAGE = 1_000;
  private static final int BATCH = 1_000;
  private static final int SPREAD = 5_000;

  private final PlanStore plans;

  public MissedRunStore(PlanStore plans) {
    this.plans = plans;
  }

  /**
   * How far the runs of an outage have been judged, in the order of the index.
   *
   * @param since when a node was last seen
   * @param until when the first one joined
   * @param target the target whose runs are next; empty before the first
   */
  public record Position(
      Instant since, Instant until, String target, Instant wakeAt, long schedule) {
    public static Position start(Instant since, Instant until) {
      return new Position(since, until, "", since, Long.MAX_VALUE);
    }

    private Position of(String label) {
      return new Position(since, until, label, since, Long.MAX_VALUE);
    }

    /* Skips the index entries of runs that were ended before. */
    private Position before(Planned first) {
      return new Position(since, until, target, first.wakeAt, first.schedule - 1);
    }

    private Position after(Planned last) {
      return new Position(since, until, target, last.wakeAt, last.schedule);
    }
  }

  /**
   * How many runs were kept and skipped.
   *
   * @param next where to go on; empty if all are judged
   */
  public record Judged(int kept, int skipped, Optional<Position> next) {
    public static final Judged NOTHING = new Judged(0, 0, Optional.empty());
  }

  /* A planned run that became due in the outage; first if it is the oldest of its schedule. */
  private record Planned(long schedule, Instant wakeAt, boolean missed, boolean first) {}

  /**
   * Judge some runs from {@code position} on, to be called again with the position it returns.
   *
   * @param lookahead over how much time runs are spread
   */
  public Judged judge(Transaction tx, Position position, Duration lookahead, Instant now) {
    if (position.target.isEmpty()) {
      return nextTarget(tx, position)
          .map(first -> judge(tx, position.of(first), lookahead, now))
          .orElse(Judged.NOTHING);
    }
    List<Planned> page = page(tx, position);
    if (page.isEmpty()) {
      return new Judged(0, 0, nextTarget(tx, position).map(position::of));
    }
    Map<Long, MissedRuns> verdicts = verdicts(tx, page, position.until);
    List<RunId> skipped = skippable(tx, verdicts, position);
    if (!skipped.isEmpty()) {
      return new Judged(
          0, skip(tx, skipped, verdicts, now), Optional.of(position.before(page.get(0))));
    }
    List<Kept> starting = starting(tx, verdicts, position);
    List<Kept> spreading = some(starting.stream().filter(Kept::spreads).toList());
    if (!spreading.isEmpty()) {
      audit(tx, spreading, now);
      return new Judged(
          spread(tx, spreading, position, lookahead), 0, Optional.of(position.before(page.get(0))));
    }
    audit(tx, starting, now);
    int kept = Math.toIntExact(page.stream().filter(Planned::missed).count());
    return new Judged(kept, 0, Optional.of(position.after(page.get(page.size() - 1))));
  }

  private static MissedRuns verdict(Map<Long, MissedRuns> verdicts, long id) {
    return Optional.ofNullable(verdicts.get(id)).orElseThrow();
  }

  private Optional<String> nextTarget(Transaction tx, Position position) {
    return tx.first(
        "find a target with runs of an outage",
        """
        with recursive target (name) as (  -- by the index: of each target, its first run only
          (select target
             from carillon.run
            where wake_at is not null
              and target > :target
            order by target
            limit 1)
           union all
          select (select target
                    from carillon.run
                   where wake_at is not null
                     and target > target.name
                   order by target
                   limit 1)
            from target
           where target.name is not null)
        select target.name
          from target
         cross join lateral (
               select
                 from carillon.run
                where run.target = target.name
                  and run.wake_at > :since
                  and run.wake_at <= :until
                order by run.wake_at
                limit 1) as run
         order by target.name
         limit 1
        """,
        bind ->
            bind.set("target", position.target)
                .set("since", position.since)
                .set("until", position.until),
        row -> row.text("name"));
  }

  private List<Planned> page(Transaction tx, Position position) {
    return tx.query(
        "list runs of an outage",
        """
        select run.schedule_id, run.wake_at,
               coalesce(case when version.moves then run.due_at else run.slot end < :until - version.grace,
                        false) as missed,
               not exists (select
                             from carillon.planned_run as older
                            where older.schedule_id = run.schedule_id
                              and older.slot < run.slot
                              and older.due_at > :since
                              and older.due_at <= :until) as first
          from (select schedule_id, slot, due_at, wake_at
                  from carillon.planned_run
                 where target = :target
                   and (wake_at, schedule_id) > (:wakeAt, :schedule)
                   and wake_at <= :until
                   and due_at > :since
                 order by wake_at, schedule_id
                 limit :page) as run
          left join lateral (
               select coalesce(definition -> 'catchUp' ->> 'grace', 'PT10S')::interval as grace,
                      definition ? 'calendar' or definition ? 'quietHours'
                      or exists (select
                                   from carillon.quiet_hours
                                  where quiet_hours.deleted_at is null
                                    and (quiet_hours.everything or quiet_hours.tags && schedule_version.tags)) as moves
                 from carillon.schedule
                 join carillon.schedule_version
                   on schedule_version.schedule_id = schedule.id and schedule_version.version = schedule.version
                where schedule.id = run.schedule_id
                  and schedule.status = 'active'
                  and definition -> 'timing' ->> 'after' is null  -- those are never missed, only late
                limit 1) as version
            on true
         order by run.wake_at, run.schedule_id, run.slot
        """,
        bind ->
            bind.set("since", position.since)
                .set("until", position.until)
                .set("target", position.target)
                .set("wakeAt", position.wakeAt)
                .set("schedule", position.schedule)
                .set("page", PAGE),
        row ->
            new Planned(
                row.number("schedule_id"),
                row.instant("wake_at"),
                row.flag("missed"),
                row.flag("first")));
  }

  /* Cursors are locked before the statuses are read: a change at the same moment has decided already. */
  private Map<Long, MissedRuns> verdicts(Transaction tx, List<Planned> page, Instant until) {
    List<Long> ids =
        page.stream()
            .filter(run -> run.missed && run.first)
            .map(Planned::schedule)
            .distinct()
            .toList();
    var verdicts = new TreeMap<Long, MissedRuns>();
    if (!ids.isEmpty()) {
      for (Candidate candidate : plans.candidates(tx, plans.lock(tx, ids))) {
        candidate
            .standing()
            .flatMap(standing -> verdict(standing, until))
            .ifPresent(verdict -> verdicts.put(candidate.scheduleId(), verdict));
      }
    }
    return verdicts;
  }

  private static Optional<MissedRuns> verdict(Standing standing, Instant until) {
    try {
      return Optional.of(MissedRuns.judge(standing, until));
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty(); // planning pauses it and says why
    }
  }

  private List<RunId> skippable(Transaction tx, Map<Long, MissedRuns> verdicts, Position position) {
    if (verdicts.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "find runs that catch-up leaves out",
        """
        select judged.id as schedule_id, run.slot, 0::smallint as ordinal
          from unnest(:ids, :befores, :oldests, :mosts, :moves) as judged (id, missed_before, oldest, most, moves)
         cross join lateral (
               select slot, case when judged.moves = 1 then due_at else slot end as due,
                      row_number() over (order by slot desc) as place
                 from carillon.planned_run
                where schedule_id = judged.id
                  and case when judged.moves = 1 then due_at else slot end < judged.missed_before
                  and due_at > :since
                  and due_at <= :until) as run
         where run.due < judged.oldest or run.place > judged.most
         order by judged.id, run.slot
         limit :batch
        """,
        bind ->
            bind.set("since", position.since)
                .set("until", position.until)
                .set("batch", BATCH)
                .array("ids", "bigint", verdicts.keySet(), id -> id)
                .array("befores", "timestamptz", verdicts.values(), MissedRuns::before)
                .array("oldests", "timestamptz", verdicts.values(), MissedRuns::oldest)
                .array("mosts", "int", verdicts.values(), MissedRuns::most)
                .array("moves", "int", verdicts.values(), verdict -> verdict.moves() ? 1 : 0),
        RunRows::toId);
  }

  private int skip(Transaction tx, List<RunId> runs, Map<Long, MissedRuns> verdicts, Instant now) {
    List<RunId> skipped =
        new UnstartedRuns(tx)
            .end(
                runs.stream()
                    .map(
                        id ->
                            new Unstarted(
                                id,
                                RunState.SKIPPED,
                                verdict(verdicts, id.schedule()).endReason(id.slot())))
                    .toList(),
                now);
    var stretches = new LinkedHashMap<Long, Map<Reason, List<Instant>>>();
    for (RunId id : skipped) {
      stretches
          .computeIfAbsent(id.schedule(), schedule -> new HashMap<>())
          .computeIfAbsent(
              verdict(verdicts, id.schedule()).reason(id.slot()), reason -> new ArrayList<>())
          .add(id.slot());
    }
    var lines = new ArrayList<AuditStore.Line>();
    stretches.forEach(
        (schedule, reasons) ->
            reasons.forEach((reason, slots) -> lines.add(line(schedule, reason, slots))));
    AuditStore.insert(tx, lines, new ChangedBy(now, PlanDecisions.ENGINE));
    return skipped.size();
  }

  private static AuditStore.Line line(long schedule, Reason reason, List<Instant> slots) {
    List<Instant> sorted = slots.stream().sorted().toList();
    return PlanDecisions.missed(
        schedule,
        new DroppedSlots(sorted.get(0), sorted.get(sorted.size() - 1), sorted.size(), reason));
  }

  /* Missed runs of a schedule that start, and how many slots they stand for. */
  private record Kept(
      long schedule, int runs, long slots, Instant first, Instant last, MissedRuns verdict) {
    boolean spreads() {
      return verdict.catchUp().mode() == CatchUp.Mode.SPREAD;
    }
  }

  private List<Kept> starting(Transaction tx, Map<Long, MissedRuns> verdicts, Position position) {
    if (verdicts.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "count runs of an outage that start",
        """
        select judged.id, run.runs, run.runs + coalesce(skipped.slots, 0)::bigint as slots,
               coalesce(skipped.first_slot, run.first_slot) as first_slot, run.last_slot
          from unnest(:ids, :befores, :alone, :moves) as judged (id, missed_before, alone, moves)
         cross join lateral (
               select count(*) as runs, min(slot) as first_slot, max(slot) as last_slot
                 from carillon.planned_run
                where schedule_id = judged.id
                  and case when judged.moves = 1 then due_at else slot end < judged.missed_before
                  and due_at > :since
                  and due_at <= :until) as run
          left join lateral (  -- one run stands for those as well that were just skipped
               select sum((details ->> 'slots')::bigint) as slots,
                      min((details ->> 'first')::timestamptz) as first_slot
                 from carillon.audit
                where audit.schedule_id = judged.id
                  and audit.action = 'schedule.missed'
                  and audit.at >= :until
                  and (audit.details ->> 'last')::timestamptz < run.first_slot) as skipped
            on judged.alone = 1
         where run.runs > 0
        """,
        bind ->
            bind.set("since", position.since)
                .set("until", position.until)
                .array("ids", "bigint", verdicts.keySet(), id -> id)
                .array("befores", "timestamptz", verdicts.values(), MissedRuns::before)
                .array("alone", "int", verdicts.values(), verdict -> isOnce(verdict) ? 1 : 0)
                .array("moves", "int", verdicts.values(), verdict -> verdict.moves() ? 1 : 0),
        row ->
            new Kept(
                row.number("id"),
                Math.toIntExact(row.number("runs")),
                row.number("slots"),
                row.instant("first_slot"),
                row.instant("last_slot"),
                verdict(verdicts, row.number("id"))));
  }

  private static boolean isOnce(MissedRuns verdict) {
    return verdict.catchUp().mode() == CatchUp.Mode.ONCE;
  }

  private static List<Kept> some(List<Kept> all) {
    int schedules = 0;
    for (int runs = 0; schedules < all.size() && runs < SPREAD; schedules++) {
      runs += all.get(schedules).runs;
    }
    return all.subList(0, schedules);
  }

  private void audit(Transaction tx, List<Kept> kept, Instant now) {
    AuditStore.insert(
        tx,
        kept.stream()
            .map(
                one ->
                    new AuditStore.Line(
                        one.schedule,
                        "schedule.caught_up",
                        Map.of(
                            "policy", one.verdict.catchUp().name(),
                            "first", one.first.toString(),
                            "last", one.last.toString(),
                            "slots", one.slots,
                            "runs", one.runs)))
            .toList(),
        new ChangedBy(now, PlanDecisions.ENGINE));
  }

  private int spread(Transaction tx, List<Kept> kept, Position position, Duration lookahead) {
    return tx.update(
        "spread runs of an outage",
        """
        with shares as (
          select judged.id, run.slot, (:horizon - :until) * (run.place::float8 / run.runs) as later
            from unnest(:ids, :befores, :moves) as judged (id, missed_before, moves)
           cross join lateral (
                 select slot, row_number() over (order by slot) as place, count(*) over () as runs
                   from carillon.planned_run
                  where schedule_id = judged.id
                    and case when judged.moves = 1 then due_at else slot end < judged.missed_before
                    and due_at > :since
                    and due_at <= :until) as run)
        update carillon.run
           set due_at = :until + shares.later, wake_at = :until + shares.later
          from shares
         where run.schedule_id = shares.id
           and run.slot = shares.slot
           and run.ordinal = 0
        """,
        bind ->
            bind.set("since", position.since)
                .set("until", position.until)
                .set("horizon", position.until.plus(lookahead))
                .array("ids", "bigint", kept, Kept::schedule)
                .array("befores", "timestamptz", kept, one -> one.verdict.before())
                .array("moves", "int", kept, one -> one.verdict.moves() ? 1 : 0));
  }
}
