package dev.carillon.store.claim;

import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.plan.Lane;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Pipeline;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.LaneStore;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunKeys;
import dev.carillon.store.run.RunRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;

/** Claims runs for nodes, when they are due or shortly before. */
public final class ClaimStore {
  /* A run blocks later runs of its lane with another target only so long: perhaps no node has its
   * target any more. */
  private static final Duration BLOCKS_OTHER_TARGETS_FOR = Duration.ofMinutes(1);

  /* me        this node, if it still has its lease; without it, nothing follows
   * picked    the due runs of each target, as many as there is room for, locked
   * first     of each lane with picked runs: the first of them, and the lane's oldest due run
   * ahead     those oldest runs, locked, where they are not picked themselves
   * due       picked and ahead together: all that is locked
   * entering  the first runs that are the oldest of a lane that is free or theirs, which is locked
   * held      writes those runs into their lanes
   * taken     what starts without a further question: due runs without a lane, and entering
   * claimed   writes this node into what is taken
   * The answer is what was claimed, and the rest of due, which is judged against its lane. */
  private static final String CLAIM =
      """
      with me as materialized (  -- against recovery, which locks the node it declares dead
        select id
          from carillon.node
         where id = :node
           and epoch = :epoch
           and lease_until > :now
           for key share),
      picked as materialized (  -- against other claims, which skip what is locked here
        select run.*
          from me
         cross join unnest(:targets, :limits, :wakes, :numbers) as open (target, free, wake_at, schedule_id)
         cross join lateral (
               select run.*, run.ctid as place
                 from carillon.run
                where target = open.target
                  and (wake_at, schedule_id) >= (open.wake_at, open.schedule_id)
                  and wake_at <= :until
                  and state = 'pending'
                order by wake_at, schedule_id
                limit open.free
                  for update skip locked) as run),
      first as materialized (  -- of each lane, what was picked first, and what is due first
        select picked.lane, picked.target, picked.slot, picked.ordinal, picked.overlap, picked.place,
               oldest.place as oldest
          from (select distinct on (lane) lane, target, slot, ordinal, overlap, place
                  from picked
                 where lane is not null
                 order by lane, slot, ordinal) as picked
         cross join lateral (
               select run.ctid as place
                 from carillon.run
                where schedule_id = picked.lane
                  and slot <= picked.slot
                  and lane is not null
                  and state = 'pending'
                  and wake_at <= :until
                  and (target = picked.target or wake_at > :blockingSince)
                order by slot, ordinal
                limit 1) as oldest),
      ahead as materialized (  -- a lane's oldest run may have been woken last, beyond the limit
        select run.*
          from first
         cross join lateral (
               select run.*, run.ctid as place
                 from carillon.run
                where schedule_id = first.lane
                  and slot <= first.slot
                  and lane is not null
                  and state = 'pending'
                  and wake_at <= :until
                  and (target = first.target or wake_at > :blockingSince)
                order by slot, ordinal
                limit 1
                  for update skip locked) as run
         where first.oldest <> first.place
           and run.target = first.target),
      due as materialized (
        select *
          from picked
         union all
        select *
          from ahead
         where place not in (select place from picked)),
      entering as materialized (  -- against other claims, and against finishing, which frees the lane
        select first.slot, first.ordinal, first.place, lane.place as lane_place
          from first
         cross join lateral (
               select ctid as place
                 from carillon.lane
                where id = first.lane
                  and (slot is null or (slot = first.slot and ordinal = first.ordinal  -- its own, for a retry
                                        and first.overlap <> :replacing))  -- perhaps it is replaced first
                  for update skip locked) as lane
         where first.oldest = first.place),
      held as (
        update carillon.lane
           set slot = entering.slot, ordinal = entering.ordinal
          from entering
         where lane.ctid = entering.lane_place),
      taken as materialized (
        select place
          from due
         where lane is null
         union all
        select place
          from entering),
      claimed as (
        update carillon.run as run
           set state = 'running', attempt = run.attempt + 1, node_id = :node, node_epoch = :epoch,
               started_at = greatest(:now, run.wake_at)
          from taken
         where run.ctid = taken.place
        returning run.*)
      select run.*, run.cancel_reason as reason, schedule.key, null::timestamptz as finished_at,
             null as failure_code, null as failure_message, null as failure_details
        from (select claimed.*, null::tid as place, null::timestamptz as oldest
                from claimed
               union all
              select due.*,
                     (select older.slot
                        from carillon.run as older
                       where older.schedule_id = due.schedule_id
                         and older.slot <= due.slot
                         and older.lane is not null
                         and older.state = 'pending'
                         and older.wake_at <= :now
                         and (older.target = due.target or older.wake_at > :blockingSince)
                       order by older.slot, older.ordinal
                       limit 1)
                from due
               where due.lane is not null
                 and due.place not in (select place from entering)) as run  -- hashed: not one by one
        left join carillon.schedule
          on schedule.id = run.schedule_id
       order by run.wake_at, run.schedule_id, run.slot
      """;

  private static final String NEXT_WAKE =
      """
      select min(run.wake_at) as wake_at
        from unnest(:targets) as open (target)
       cross join lateral (
             select wake_at
               from carillon.run
              where target = open.target
                and wake_at > :time
                and state = 'pending'
              order by wake_at
              limit 1) as run
      """;

  private final Database database;
  private final LaneStore lanes = new LaneStore();

  public ClaimStore(Database database) {
    this.database = database;
  }

  /**
   * A run that is due or will be soon: claimed, or locked and to be checked against its lane.
   *
   * @param wakeAt when it is due, or due again
   * @param oldest the slot of the oldest due run in its lane, if it is not claimed
   */
  public record Due(Run run, Instant wakeAt, Optional<Instant> oldest) {}

  /**
   * Runs to claim, due after {@code since} and until {@code until}.
   *
   * @param targets the most runs of each target
   * @param startPositions where to begin for some targets
   */
  public record Wanted(
      Map<String, Integer> targets,
      Map<String, ClaimPosition> startPositions,
      Instant since,
      Instant until) {
    public Wanted(Map<String, Integer> targets, Instant since, Instant until) {
      this(targets, Map.of(), since, until);
    }

    private ClaimPosition place(String target) {
      return startPositions.getOrDefault(target, new ClaimPosition(since, Long.MAX_VALUE));
    }

    /** Return the same until {@code earlier}, and only so many of each target. */
    public Wanted only(Map<String, Integer> fewer, Instant earlier) {
      return new Wanted(fewer, startPositions, since, earlier);
    }
  }

  /**
   * Lock the wanted runs, oldest first, and claim those without a lane or first in a free one.
   * Returns nothing if the node has lost its lease. Nodes never wait for each other.
   */
  public List<Due> claimDue(Transaction tx, Owner node, Wanted wanted, Instant now) {
    return tx.query(
        "claim due runs", CLAIM, bind -> bind(bind, node, wanted, now), ClaimStore::due);
  }

  /**
   * Do the same as {@link #claimDue} when the next statement is sent; {@code found} takes the runs.
   */
  public void claimDueLater(
      Transaction tx, Owner node, Wanted wanted, Instant now, Consumer<Due> found) {
    tx.later(
        "claim due runs",
        CLAIM,
        bind -> bind(bind, node, wanted, now),
        row -> found.accept(due(row)));
  }

  /**
   * Do the same as {@link #claimDue} as a transaction of its own; what is not claimed is not locked
   * any more.
   */
  public void claimDue(
      Pipeline alone, Owner node, Wanted wanted, Instant now, Consumer<Due> found) {
    alone.query(
        "claim due runs",
        CLAIM,
        bind -> bind(bind, node, wanted, now),
        row -> found.accept(due(row)));
  }

  private static Due due(Row row) {
    return new Due(RunRows.toRun(row), row.instant("wake_at"), row.optionalInstant("oldest"));
  }

  private static void bind(Bind bind, Owner node, Wanted wanted, Instant now) {
    node.bind(bind)
        .set("until", wanted.until)
        .set("now", now)
        .set("replacing", LaneStore.REPLACING)
        .set("blockingSince", now.minus(BLOCKS_OTHER_TARGETS_FOR))
        .array("targets", "text", wanted.targets.keySet(), target -> target)
        .array("limits", "int", wanted.targets.values(), limit -> limit)
        .array(
            "wakes",
            "timestamptz",
            wanted.targets.keySet(),
            target -> wanted.place(target).wakeAt())
        .array(
            "numbers",
            "bigint",
            wanted.targets.keySet(),
            target -> wanted.place(target).schedule());
  }

  /** Claim runs that {@link #claimDue} locked and that may start. */
  public List<Run> claimJudged(Transaction tx, Owner node, List<Run> runs, Instant now) {
    if (runs.isEmpty()) {
      return List.of();
    }
    tx.later(
        "start judged runs",
        """
        update carillon.run as run
           set state = 'running', attempt = run.attempt + 1, node_id = :node, node_epoch = :epoch,
               started_at = :now
          from unnest((select :schedules), (select :slots), (select :ordinals)) as started (schedule_id, slot, ordinal)
         where run.schedule_id = started.schedule_id
           and run.slot = started.slot
           and run.ordinal = started.ordinal
        """,
        bind -> RunKeys.bind(node.bind(bind).set("now", now), runs, Run::id));
    tx.later(
        "hold lanes",
        """
        update carillon.lane
           set slot = started.slot, ordinal = started.ordinal
          from unnest(:schedules, :slots, :ordinals) as started (schedule_id, slot, ordinal)
         cross join lateral (
               select ctid as place
                 from carillon.lane
                where id = started.schedule_id
                  and slot is null
               offset 0) as free  -- locked by us already; looked up one by one, not by a scan
         where lane.ctid = free.place
        """,
        bind -> RunKeys.bind(bind, runs, Run::id));
    return runs.stream().map(run -> run.claimedBy(node.id(), now)).toList();
  }

  /** Create missing lanes, and lock those that no other node has locked. */
  public Map<Long, Lane> lock(Transaction tx, SortedSet<Long> ids) {
    return lanes.lock(tx, ids);
  }

  /** Let runs wait until their locked lane is free. */
  public void park(Transaction tx, List<Run> runs) {
    if (runs.isEmpty()) {
      return;
    }
    tx.later(
        "mark lanes as contended",
        """
        update carillon.lane
           set contended = true
         where id = any(:lanes)
           and not contended
        """,
        bind -> bind.array("lanes", "bigint", runs, run -> run.id().schedule()));
    tx.later(
        "park runs",
        """
        update carillon.run as run
           set wake_at = null
          from unnest((select :schedules), (select :slots), (select :ordinals)) as parked (schedule_id, slot, ordinal)
         where run.schedule_id = parked.schedule_id
           and run.slot = parked.slot
           and run.ordinal = parked.ordinal
        """,
        bind -> RunKeys.bind(bind, runs, Run::id));
  }

  /** Return when the next run of {@code targets} is due, of those due after {@code time}. */
  public Optional<Instant> nextWake(Collection<String> targets, Instant time) {
    return database.one(
        "find the next due run",
        NEXT_WAKE,
        bind -> bind.set("time", time).array("targets", "text", targets, target -> target),
        row -> row.optionalInstant("wake_at"));
  }

  /** Do the same as {@link #nextWake}; {@code found} takes the answer. */
  public void nextWake(
      Pipeline together,
      Collection<String> targets,
      Instant time,
      Consumer<Optional<Instant>> found) {
    together.query(
        "find the next due run",
        NEXT_WAKE,
        bind -> bind.set("time", time).array("targets", "text", targets, target -> target),
        row -> found.accept(row.optionalInstant("wake_at")));
  }

  /** Return the runs of {@code node} that were asked to stop. */
  public Map<RunId, String> askedToStop(Transaction tx, Owner node) {
    return tx.map(
        "find runs to stop",
        """
        select schedule_id, slot, ordinal, cancel_reason
          from carillon.run
         where cancel_reason is not null
           and state = 'running'
           and node_id = :node
           and node_epoch = :epoch
        """,
        bind -> node.bind(bind),
        row -> RunRows.toId(row),
        row -> row.text("cancel_reason"));
  }

  /** Lock and return all runs that {@code node} has claimed, by a scan. */
  public List<Run> claimedBy(Transaction tx, Owner node) {
    return tx.query(
        "list runs of a node",
        """
        select run.*, schedule.key, run.cancel_reason as reason, null::timestamptz as finished_at,
               null as failure_code, null as failure_message, null as failure_details
          from carillon.run
          left join carillon.schedule
            on schedule.id = run.schedule_id
         where run.state = 'running'
           and run.node_id = :node
           and run.node_epoch = :epoch
         order by run.schedule_id, run.slot, run.ordinal
           for update of run
        """,
        bind -> node.bind(bind),
        RunRows::toRun);
  }
}
