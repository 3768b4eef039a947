package dev.carillon.store.run;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Dismissal;
import dev.carillon.model.EndReason;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.Scope;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs as callers request them: created, found, canceled, run again. */
public final class RunStore {
  private final Database database;
  private final RunRedriver runRedriver = new RunRedriver();
  private final DismissalStore dismissals = new DismissalStore();

  public RunStore(Database database) {
    this.database = database;
  }

  /**
   * A run without a schedule.
   *
   * @param slot the requested start
   * @param dueAt when it may start: not before the request
   * @param overlapKey runs with the same one run one at a time
   * @param requestId a repeated request with the same one creates no other run
   * @param deadline by when it must be finished, and what runs if it is not
   */
  public record AdHoc(
      String target,
      Payload payload,
      Instant slot,
      Instant dueAt,
      RunPolicy policy,
      Optional<String> correlation,
      Optional<String> overlapKey,
      Optional<String> requestId,
      Optional<AdHocDeadline> deadline) {
    boolean isPlain() {
      return overlapKey.isEmpty() && requestId.isEmpty();
    }

    Optional<RunDeadline> deadline(RunId id) {
      return deadline.map(by -> new RunDeadline(id, 0, by.at, by.escalateTo));
    }
  }

  /** By when a run without a schedule must be finished, and the target that runs if it is not. */
  public record AdHocDeadline(Instant at, String escalateTo) {}

  /** Insert ad-hoc runs and return their ids in the same order. */
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
    List<RunId> ids = insertPlain(tx, runs, actor);
    var deadlines = new ArrayList<RunDeadline>();
    for (int i = 0; i < runs.size(); i++) {
      runs.get(i).deadline(ids.get(i)).ifPresent(deadlines::add);
    }
    DeadlineStore.insert(tx, deadlines);
    return ids;
  }

  private List<RunId> insertPlain(Transaction tx, List<AdHoc> runs, String actor) {
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

  /** Insert a run of a locked schedule; runs of the same instant get different ordinals. */
  public RunId insertManual(
      Transaction tx,
      Schedule schedule,
      Payload payload,
      Overlap overlap,
      Instant now,
      String actor) {
    RunId id = insertManualRun(tx, schedule, payload, overlap, now, actor);
    DeadlineStore.insert(
        tx,
        RunDeadline.of(
                id,
                schedule.version(),
                schedule.definition(),
                id.slot(),
                now,
                name -> RuleBooks.read(tx).calendar(name))
            .stream()
            .toList());
    return id;
  }

  private static RunId insertManualRun(
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
            bindNew(bind, schedule, overlap, actor).set("payload", payload.json()).set("now", now),
        RunRows::toId);
  }

  /** A past slot to backfill, and when its run may start. */
  public record Backfill(Instant slot, Instant dueAt) {}

  /**
   * Insert runs for past slots without one, of a schedule with a locked cursor; return their ids.
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
                bindNew(bind, schedule, overlap, actor)
                    .set("payload", schedule.definition().payload().json())
                    .array("slots", "timestamptz", slots, Backfill::slot)
                    .array("dueAts", "timestamptz", slots, Backfill::dueAt),
            RunRows::toId);
    List<RunId> finishedBefore = removeFinished(tx, inserted);
    return inserted.stream().filter(id -> !finishedBefore.contains(id)).toList();
  }

  /** Bind the values that new runs of {@code schedule} have in common. */
  static Bind bindNew(Bind bind, Schedule schedule, Overlap overlap, String actor) {
    return bind.set("schedule", schedule.id())
        .set("version", schedule.version())
        .set("target", schedule.definition().target())
        .set("lane", overlap.exclusive() ? Optional.of(schedule.id()) : Optional.empty())
        .set("overlap", RunPolicyJson.stored(overlap))
        .set("policy", RunPolicyJson.of(schedule.definition().policy()))
        .set("actor", actor);
  }

  /* A separate statement: the insert sees a run that finished meanwhile in neither table. */
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

  /** Run skipped or canceled slots again, of a schedule with a locked cursor; return their ids. */
  public List<RunId> refill(
      Transaction tx, Schedule schedule, List<Backfill> slots, Overlap overlap, String actor) {
    return runRedriver.refill(tx, schedule, slots, overlap, actor);
  }

  /** Return the states of the runs of {@code slots}. */
  public Map<Instant, RunState> states(Transaction tx, long schedule, List<Instant> slots) {
    return tx.map(
        "find taken slots",
        """
        select any_run.slot, any_run.state
          from unnest(:slots) as wanted (slot)
          join carillon.any_run
            on any_run.schedule_id = :schedule
           and any_run.slot = wanted.slot
           and any_run.ordinal = 0
        """,
        bind -> bind.set("schedule", schedule).array("slots", "timestamptz", slots, slot -> slot),
        row -> row.instant("slot"),
        row -> row.constant("state", RunState.class));
  }

  /** Return a run, live or finished. */
  public Optional<Run> find(RunId id) {
    return find(database, id);
  }

  /** Return a run, live or finished, as {@code statements} see it. */
  public Optional<Run> find(Statements statements, RunId id) {
    return dismissals.withDismissals(statements, read(statements, id)).stream().findFirst();
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
        bind -> RunKeys.bind(bind, id),
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
    return dismissals.withDismissals(tx, failed).stream().filter(Run::isDeadLetter).toList();
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
            bind -> RunKeys.bind(bind, id).set("reason", reason));
    return asked == 1 ? Optional.of(RunState.RUNNING) : Optional.empty();
  }

  /** Cancel runs that {@link #lockUnstarted} has locked. */
  public List<RunId> cancelUnstarted(
      Transaction tx, List<RunId> unstarted, String reason, Instant now) {
    return new UnstartedRuns(tx).end(unstarted, RunState.CANCELED, EndReason.canceled(reason), now);
  }

  /**
   * Cancel up to {@code limit} unstarted ad-hoc runs after {@code after}, by id, that have the
   * payload and are in the scope of {@code wanted}. There is no index on payloads: live runs are
   * read once in all.
   */
  public List<RunId> cancelUnstarted(
      Transaction tx,
      RunFilter wanted,
      Optional<RunId> after,
      String reason,
      Instant now,
      int limit) {
    return new UnstartedRuns(tx)
        .end(
            lockUnstarted(tx, wanted, after, limit),
            RunState.CANCELED,
            EndReason.canceled(reason),
            now);
  }

  private List<RunId> lockUnstarted(
      Transaction tx, RunFilter wanted, Optional<RunId> after, int limit) {
    return tx.query(
        "lock runs by payload",
        """
        select schedule_id, slot, ordinal
          from carillon.run  -- against claims, which skip locked runs
         where (schedule_id, slot) > (:schedule, :slot)  -- an ad-hoc run has the ordinal 0
           and payload @> :payload::jsonb
           and trigger = 'ad_hoc'
           and state = 'pending'
           and attempt = 0
           and (:scope::jsonb is null or carillon.in_scope(:scope::jsonb, null, target, null))
         order by schedule_id, slot
         limit :limit
           for update
        """,
        bind ->
            bind.set("payload", wanted.payload().json())
                .set("scope", wanted.scope().json())
                .set("schedule", after.map(RunId::schedule).orElse(Long.MIN_VALUE))
                .set("slot", after.map(RunId::slot).orElse(Instant.EPOCH))
                .set("limit", limit),
        RunRows::toId);
  }

  /** Lock up to {@code limit} unstarted runs with {@code correlation} that are in {@code scope}. */
  public List<RunId> lockUnstarted(Transaction tx, String correlation, Scope scope, int limit) {
    return tx.query(
        "lock runs by correlation",
        """
        select schedule_id, slot, ordinal
          from carillon.run  -- against claims, which skip locked runs
         where correlation = :correlation
           and state = 'pending'
           and attempt = 0
           and (:scope::jsonb is null
                or carillon.in_scope(
                     :scope::jsonb,
                     (select key from carillon.schedule where id = run.schedule_id),
                     target,
                     (select version.tags
                        from carillon.schedule
                        join carillon.schedule_version as version
                          on version.schedule_id = schedule.id and version.version = schedule.version
                       where schedule.id = run.schedule_id)))
         order by schedule_id, slot, ordinal
         limit :limit
           for update
        """,
        bind -> bind.set("correlation", correlation).set("scope", scope.json()).set("limit", limit),
        RunRows::toId);
  }

  /** Make an unsuccessful run pending again, now. */
  public Optional<Run> again(Transaction tx, RunId id, Optional<Payload> payload, ChangedBy by) {
    return find(tx, id)
        .filter(run -> run.state().isFinal() && run.state().canBecome(RunState.PENDING))
        .filter(run -> !again(tx, List.of(run), payload, by).isEmpty())
        .flatMap(run -> find(tx, id));
  }

  /** Make unsuccessful runs pending again, now, and return those that had not changed. */
  public List<RunId> again(
      Transaction tx, List<Run> runs, Optional<Payload> payload, ChangedBy by) {
    return runRedriver.again(tx, runs, payload, by);
  }

  /** Write the progress that runs report. */
  public void progress(Owner node, Map<RunId, String> progress) {
    List<Map.Entry<RunId, String>> entries = List.copyOf(progress.entrySet());
    database.update(
        "write progress",
        """
        update carillon.run as run
           set progress = report.text
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :texts))
            as report (schedule_id, slot, ordinal, text)
         where run.schedule_id = report.schedule_id
           and run.slot = report.slot
           and run.ordinal = report.ordinal
           and run.state = 'running'
           and run.node_id = :node
           and run.node_epoch = :epoch
        """,
        bind ->
            RunKeys.bind(node.bind(bind), entries, Map.Entry::getKey)
                .array("texts", "text", entries, Map.Entry::getValue));
  }
}
