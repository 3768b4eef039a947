package dev.carillon.store.run;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Dismissal;
import dev.carillon.model.EndReason;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs as people and programs ask for them: new ones, one, many, canceled, tried again. */
public final class RunStore {
  private final Database database;
  private final RunRedriver runRedriver = new RunRedriver();
  private final DismissalStore dismissals = new DismissalStore();

  public RunStore(Database database) {
    this.database = database;
  }

  /**
   * Work without a schedule.
   *
   * @param target the label of what runs
   * @param payload what it is given
   * @param slot when it was to start
   * @param dueAt when it may start: not before it was asked for
   * @param policy how it is tried and recovered
   * @param correlation a word to find it by
   * @param overlapKey a word whose runs go one at a time
   * @param requestId a word that names one run
   */
  public record AdHoc(
      String target,
      Payload payload,
      Instant slot,
      Instant dueAt,
      RunPolicy policy,
      Optional<String> correlation,
      Optional<String> overlapKey,
      Optional<String> requestId) {
    boolean isPlain() {
      return overlapKey.isEmpty() && requestId.isEmpty();
    }
  }

  /** Write ad-hoc runs down and return them in the same order. */
  public List<RunId> enqueue(Transaction tx, List<AdHoc> runs, ChangedBy by) {
    var ids = new ArrayList<RunId>(runs.size());
    var plain = new ArrayList<AdHoc>();
    for (AdHoc run : runs) {
      if (run.isPlain()) {
        plain.add(run);
      } else {
        ids.addAll(enqueuePlain(tx, plain, by.by()));
        plain.clear();
        ids.add(new AdHocRunStore(tx).enqueue(run, by));
      }
    }
    ids.addAll(enqueuePlain(tx, plain, by.by()));
    return ids;
  }

  private List<RunId> enqueuePlain(Transaction tx, List<AdHoc> runs, String actor) {
    if (runs.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "enqueue runs",
        """
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, policy, correlation, created_by)
        select nextval('carillon.schedule_id_seq'), slot, 0, 'ad_hoc', target, payload::jsonb, due_at, due_at,
               policy::jsonb, correlation, :actor
          from unnest(:targets, :payloads, :slots, :dueAts, :policies, :correlations)
            with ordinality as work (target, payload, slot, due_at, policy, correlation, position)
         order by position
        returning schedule_id, slot, ordinal
        """,
        bind ->
            bind.set("actor", actor)
                .array("targets", "text", runs, AdHoc::target)
                .array("payloads", "text", runs, run -> run.payload().json())
                .array("slots", "timestamptz", runs, AdHoc::slot)
                .array("dueAts", "timestamptz", runs, AdHoc::dueAt)
                .array("policies", "text", runs, run -> RunPolicyJson.of(run.policy()))
                .array("correlations", "text", runs, AdHoc::correlation),
        RunRows::toId);
  }

  /**
   * Write a run of {@code schedule} that a caller asked for. The transaction has locked the
   * schedule, so that two of the same instant get different ordinals.
   */
  public RunId insertManual(
      Transaction tx,
      Schedule schedule,
      Payload payload,
      Overlap overlap,
      Instant now,
      String actor) {
    return tx.one(
        "insert manual run",
        """
        insert into carillon.run
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, wake_at, lane, overlap,
                policy, created_by)
        select :schedule, :now, coalesce(max(ordinal), 0) + 1, :version, 'manual', :target, :payload::jsonb,
               :now, :now, :lane, :overlap, :policy::jsonb, :actor
          from carillon.any_run
         where schedule_id = :schedule
           and slot = :now
        returning schedule_id, slot, ordinal
        """,
        bind ->
            bind.set("schedule", schedule.id())
                .set("now", now)
                .set("version", schedule.version())
                .set("target", schedule.definition().target())
                .set("payload", payload.json())
                .set("lane", overlap.exclusive() ? Optional.of(schedule.id()) : Optional.empty())
                .set("overlap", RunPolicyJson.stored(overlap))
                .set("policy", RunPolicyJson.of(schedule.definition().policy()))
                .set("actor", actor),
        RunRows::toId);
  }

  /**
   * A past slot to make up for.
   *
   * @param slot the slot
   * @param dueAt when its run may start
   */
  public record Backfill(Instant slot, Instant dueAt) {}

  /**
   * Write runs for past slots of {@code schedule} that have none, and return those written. Inside
   * a transaction that has locked the cursor, so that nobody plans or backfills the same slots.
   */
  public List<RunId> insertBackfill(
      Transaction tx, Schedule schedule, List<Backfill> slots, Overlap overlap, String actor) {
    if (slots.isEmpty()) {
      return List.of();
    }
    List<RunId> inserted =
        tx.query(
            "insert backfill",
            """
            insert into carillon.run
                   (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, lane, overlap, policy,
                    created_by)
            select :schedule, slot, :version, 'backfill', :target, :payload::jsonb, due_at, due_at, :lane, :overlap,
                   :policy::jsonb, :actor
              from unnest(:slots, :dueAts) as past (slot, due_at)
                on conflict do nothing
            returning schedule_id, slot, ordinal
            """,
            bind ->
                bind.set("schedule", schedule.id())
                    .set("version", schedule.version())
                    .set("target", schedule.definition().target())
                    .set("payload", schedule.definition().payload().json())
                    .set(
                        "lane", overlap.exclusive() ? Optional.of(schedule.id()) : Optional.empty())
                    .set("overlap", RunPolicyJson.stored(overlap))
                    .set("policy", RunPolicyJson.of(schedule.definition().policy()))
                    .set("actor", actor)
                    .array("slots", "timestamptz", slots, Backfill::slot)
                    .array("dueAts", "timestamptz", slots, Backfill::dueAt),
            RunRows::toId);
    List<RunId> finishedBefore = removeFinished(tx, inserted);
    return inserted.stream().filter(id -> !finishedBefore.contains(id)).toList();
  }

  /* A statement of its own, after the insert: a run that finished while the insert ran is in neither
   * table for it, but is in the history now. */
  private List<RunId> removeFinished(Transaction tx, List<RunId> inserted) {
    return tx.query(
        "remove runs of finished slots",
        """
        delete from carillon.run as run
         using unnest((select :schedules), (select :slots), (select :ordinals))
            as inserted (schedule_id, slot, ordinal),
               carillon.history
         where run.schedule_id = inserted.schedule_id
           and run.slot = inserted.slot
           and run.ordinal = inserted.ordinal
           and history.schedule_id = inserted.schedule_id
           and history.slot = inserted.slot
           and history.ordinal = inserted.ordinal
        returning run.schedule_id, run.slot, run.ordinal
        """,
        bind -> RunKeys.bind(bind, inserted, id -> id),
        RunRows::toId);
  }

  /**
   * Run the slots of {@code schedule} whose run was skipped or canceled, as the schedule says now,
   * and return those that are pending again. The transaction has locked the cursor.
   */
  public List<RunId> refill(
      Transaction tx, Schedule schedule, List<Backfill> slots, Overlap overlap, String actor) {
    return runRedriver.refill(tx, schedule, slots, overlap, actor);
  }

  /** Return the states of those of {@code slots} of a schedule that have a run. */
  public Map<Instant, RunState> states(Transaction tx, long schedule, List<Instant> slots) {
    return tx
        .query(
            "find taken slots",
            """
            select any_run.slot, any_run.state
              from unnest(:slots) as wanted (slot)
              join carillon.any_run
                on any_run.schedule_id = :schedule
               and any_run.slot = wanted.slot
               and any_run.ordinal = 0
            """,
            bind ->
                bind.set("schedule", schedule).array("slots", "timestamptz", slots, slot -> slot),
            row -> Map.entry(row.instant("slot"), EnumText.read(RunState.class, row.text("state"))))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one));
  }

  /** Return a run, live or finished. */
  public Optional<Run> find(RunId id) {
    return find(database, id);
  }

  /** Return a run, live or finished, as {@code statements} see it. */
  public Optional<Run> find(Statements statements, RunId id) {
    return dismissals.shown(statements, read(statements, id)).stream().findFirst();
  }

  private List<Run> read(Statements statements, RunId id) {
    return statements.query(
        "find run",
        """
        select any_run.*, schedule.key
          from carillon.any_run
          left join carillon.schedule
            on schedule.id = any_run.schedule_id
         where any_run.schedule_id = :schedule
           and any_run.slot = :slot
           and any_run.ordinal = :ordinal
        """,
        bind ->
            bind.set("schedule", id.schedule()).set("slot", id.slot()).set("ordinal", id.ordinal()),
        RunRows::toRun);
  }

  /** Return those of {@code ids} that are dead letters. */
  public List<Run> deadLetters(Transaction tx, List<RunId> ids) {
    List<Run> failed =
        tx.query(
            "find dead letters",
            """
            select ended_run.*, schedule.key
              from carillon.ended_run
              join unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
             using (schedule_id, slot, ordinal)
              left join carillon.schedule
                on schedule.id = ended_run.schedule_id
             where ended_run.state = 'failed'
            """,
            bind -> RunKeys.bind(bind, ids, id -> id),
            RunRows::toRun);
    return dismissals.shown(tx, failed).stream().filter(Run::isDeadLetter).toList();
  }

  /** Dismiss those of {@code ids} that are dead letters, and return them. */
  public List<RunId> dismiss(Transaction tx, List<RunId> ids, Dismissal dismissal) {
    return dismissals.insert(tx, ids, dismissal);
  }

  /** Cancel a run: at once if it has not started, else by asking it to stop. */
  public Optional<RunState> cancel(Transaction tx, RunId id, String reason, Instant now) {
    if (!new UnstartedRuns(tx)
        .end(List.of(id), RunState.CANCELED, EndReason.canceled(reason), now)
        .isEmpty()) {
      return Optional.of(RunState.CANCELED);
    }
    int asked =
        tx.update(
            "ask run to stop",
            """
            update carillon.run
               set cancel_reason = coalesce(cancel_reason, :reason)
             where schedule_id = :schedule
               and slot = :slot
               and ordinal = :ordinal
               and state = 'running'
            """,
            bind ->
                bind.set("reason", reason)
                    .set("schedule", id.schedule())
                    .set("slot", id.slot())
                    .set("ordinal", id.ordinal()));
    return asked == 1 ? Optional.of(RunState.RUNNING) : Optional.empty();
  }

  /** Cancel runs that {@link #lockUnstarted} has locked. */
  public List<RunId> cancelUnstarted(
      Transaction tx, List<RunId> unstarted, String reason, Instant now) {
    return new UnstartedRuns(tx).end(unstarted, RunState.CANCELED, EndReason.canceled(reason), now);
  }

  /**
   * Cancel runs without a schedule whose payload contains {@code payload} and that have not
   * started, at most {@code limit} of them, in the order of their ids from {@code after} on. Inside
   * a transaction. No index knows payloads of runs: what is on its way is read once in all.
   */
  public List<RunId> cancelUnstarted(
      Transaction tx,
      Payload payload,
      Optional<RunId> after,
      String reason,
      Instant now,
      int limit) {
    return new UnstartedRuns(tx)
        .end(
            lockUnstarted(tx, payload, after, limit),
            RunState.CANCELED,
            EndReason.canceled(reason),
            now);
  }

  private List<RunId> lockUnstarted(
      Transaction tx, Payload payload, Optional<RunId> after, int limit) {
    return tx.query(
        "lock runs by payload",
        """
        select schedule_id, slot, ordinal
          from carillon.run  -- against claims, which skip what is locked here
         where (schedule_id, slot) > (:schedule, :slot)  -- an ad-hoc run has the ordinal 0
           and payload @> :payload::jsonb
           and trigger = 'ad_hoc'
           and state = 'pending'
           and attempt = 0
         order by schedule_id, slot
         limit :limit
           for update
        """,
        bind ->
            bind.set("payload", payload.json())
                .set("schedule", after.map(RunId::schedule).orElse(Long.MIN_VALUE))
                .set("slot", after.map(RunId::slot).orElse(Instant.EPOCH))
                .set("limit", limit),
        RunRows::toId);
  }

  /**
   * Lock the runs with {@code correlation} that have not started, at most {@code limit} of them.
   */
  public List<RunId> lockUnstarted(Transaction tx, String correlation, int limit) {
    return tx.query(
        "lock runs by correlation",
        """
        select schedule_id, slot, ordinal
          from carillon.run  -- against claims, which skip what is locked here
         where correlation = :correlation
           and state = 'pending'
           and attempt = 0
         order by schedule_id, slot, ordinal
         limit :limit
           for update
        """,
        bind -> bind.set("correlation", correlation).set("limit", limit),
        RunRows::toId);
  }

  /** Make a finished run that did not succeed pending again, now. */
  public Optional<Run> again(Transaction tx, RunId id, Optional<Payload> payload, ChangedBy by) {
    return find(tx, id)
        .filter(run -> run.state().isFinal() && run.state().canBecome(RunState.PENDING))
        .filter(run -> !again(tx, List.of(run), payload, by).isEmpty())
        .flatMap(run -> find(tx, id));
  }

  /**
   * Make finished runs that did not succeed pending again, now, and return those that were still as
   * they are given.
   */
  public List<RunId> again(
      Transaction tx, List<Run> runs, Optional<Payload> payload, ChangedBy by) {
    return runRedriver.again(tx, runs, payload, by);
  }

  /** Write how far runs say they are. */
  public void progress(Owner node, Map<RunId, String> progress) {
    List<Map.Entry<RunId, String>> entries = List.copyOf(progress.entrySet());
    database.update(
        "write progress",
        """
        update carillon.run as run
           set progress = news.text
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :texts))
            as news (schedule_id, slot, ordinal, text)
         where run.schedule_id = news.schedule_id
           and run.slot = news.slot
           and run.ordinal = news.ordinal
           and run.state = 'running'
           and run.node_id = :node
           and run.node_epoch = :epoch
        """,
        bind ->
            RunKeys.bind(bind, entries, Map.Entry::getKey)
                .set("node", node.id())
                .set("epoch", node.epoch())
                .array("texts", "text", entries, Map.Entry::getValue));
  }
}
