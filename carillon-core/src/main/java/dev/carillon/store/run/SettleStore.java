package dev.carillon.store.run;

import dev.carillon.model.Attempt;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Writes the ends of attempts. Every statement is fenced: it changes a run only if it still has the
 * attempt, node and epoch that ended.
 */
public final class SettleStore {
  private static final Comparator<AttemptEnd> IN_ORDER_OF_SLOTS =
      Comparator.<AttemptEnd, Instant>comparing(end -> end.run().id().slot())
          .thenComparing(end -> end.run().id());

  /* Each %s in turn: the conflict clause for runs that the history has already, what frees lanes, and
   * which of those others wait for. */
  private static final String FINISH =
      """
      with verdict as materialized (
        select *
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts),
                      (select :states), (select :starts), (select :ends), (select :codes), (select :messages),
                      (select :details), (select :reasons), (select :progress), (select :samples))
            as verdict (schedule_id, slot, ordinal, attempt, state, started_at, ended_at,
                        code, message, details, reason, progress, sampled)),
      done as (
        delete from carillon.run as run
         using verdict
         where run.schedule_id = verdict.schedule_id
           and run.slot = verdict.slot
           and run.ordinal = verdict.ordinal
           and run.state = 'running'
           and run.node_id = :node  -- fence: a recovered run belongs to another node, epoch or attempt
           and run.node_epoch = :epoch
           and run.attempt = verdict.attempt
        returning run.schedule_id, run.slot, run.ordinal, run.version, run.trigger, run.target, run.payload,
                  run.due_at, verdict.state, run.attempt, run.overlap, run.policy, run.node_id,
                  verdict.started_at, verdict.ended_at, verdict.code, verdict.message, verdict.details,
                  verdict.reason, coalesce(verdict.progress, run.progress) as progress, run.attempts, run.correlation,
                  run.created_by, run.lane, run.sequel, run.external_id, verdict.sampled),
      recorded as (
        insert into carillon.history
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, overlap,
                policy, node_id, started_at, finished_at, failure_code, failure_message, failure_details, reason,
                progress, attempts, correlation, created_by, external_id, sampled)
        select schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, overlap,
               policy, node_id, started_at, ended_at, code, message, details, reason,
               progress, attempts, correlation, created_by, external_id,
               state = 'succeeded'  -- a sampled row may be lost to the fence; then each stands for itself
               and (sampled = 1 or (select count(*) from done) < (select count(*) from verdict))
          from done
            %s
        returning slot, target, state),
      counted as (
        insert into carillon.run_count_delta (hour, target, state, runs)
        select date_bin('1 hour', slot, 'epoch'), target, state, count(*)
          from recorded
         group by 1, 2, 3)%s
      select schedule_id, slot, ordinal, trigger, state, lane, sequel, policy, code, message, %s as contended
        from done
      """;

  /* What RunEndEffects does for others: a lane is freed after a claim that has it locked. */
  private static final String FREE =
      """
      ,
      freed as (
        update carillon.lane
           set slot = null, ordinal = null
          from done
         where lane.id = done.lane
           and (lane.slot is null or (lane.slot = done.slot and lane.ordinal = done.ordinal))
        returning lane.id, lane.contended)\
      """;
  private static final String CONTENDED =
      "(select array_agg(freed.id::text) from freed where freed.contended)";

  /* With and without lanes: few runs of a backlog have one, and each part costs its planning. */
  private record Finish(String plain, String freeing) {
    static Finish with(String conflict) {
      return new Finish(
          FINISH.formatted(conflict, "", "null::text[]"),
          FINISH.formatted(conflict, FREE, CONTENDED));
    }
  }

  private static final Finish FINISH_NEW = Finish.with("");
  private static final Finish FINISH_ANY = Finish.with("on conflict do nothing");

  /**
   * Write the ends of attempts of {@code node} and their effects, and return the new states of
   * their runs, without those lost to the fence.
   */
  public Map<RunId, RunState> settle(
      Transaction tx, Owner node, List<AttemptEnd> settled, Instant now) {
    return settle(tx, FINISH_ANY, node, settled, now);
  }

  /**
   * Do the same as {@link #settle}, but throw if the history has one of the runs already: without
   * the check, each run saves an index lookup and WAL.
   */
  public Map<RunId, RunState> settleNew(
      Transaction tx, Owner node, List<AttemptEnd> settled, Instant now) {
    return settle(tx, FINISH_NEW, node, settled, now);
  }

  private Map<RunId, RunState> settle(
      Transaction tx, Finish finish, Owner node, List<AttemptEnd> settled, Instant now) {
    var over = new ArrayList<AttemptEnd>();
    var again = new ArrayList<AttemptEnd>();
    for (AttemptEnd end : settled) {
      (end.verdict().state().isFinal() ? over : again).add(end);
    }
    var changed = new HashMap<RunId, RunState>();
    if (!over.isEmpty()) {
      finish(tx, finish, node, over, now).forEach(end -> changed.put(end.id(), end.state()));
    }
    if (!again.isEmpty()) {
      List<ReturnedRun> pending = retry(tx, node, again);
      pending.forEach(run -> changed.put(run.id, run.state()));
      cancelAsked(tx, pending, now);
    }
    return changed;
  }

  /* In the order of the index by slot, so that PostgreSQL appends without a search. */
  private List<EndedRun> finish(
      Transaction tx, Finish finish, Owner node, List<AttemptEnd> unordered, Instant now) {
    boolean freeing = unordered.stream().anyMatch(end -> end.run().overlap().exclusive());
    var contended = new TreeSet<Long>();
    List<EndedRun> ended =
        finish(tx, freeing ? finish.freeing : finish.plain, node, unordered, contended);
    var effects = new RunEndEffects(tx);
    if (freeing) {
      effects.wakeFirst(contended);
      effects.followFreed(ended, now);
    } else {
      effects.follow(ended, now);
    }
    return ended;
  }

  private List<EndedRun> finish(
      Transaction tx,
      String sql,
      Owner node,
      List<AttemptEnd> unordered,
      Collection<Long> contended) {
    List<AttemptEnd> settled = unordered.stream().sorted(IN_ORDER_OF_SLOTS).toList();
    var sampler = new SuccessSampler();
    return tx.query(
        "finish runs",
        sql,
        bind ->
            RunKeys.bind(node.bind(bind), settled, end -> end.run().id())
                .array("attempts", "int", settled, end -> end.verdict().attempt())
                .array("states", "text", settled, end -> EnumText.of(end.verdict().state()))
                .array("starts", "timestamptz", settled, AttemptEnd::startedAt)
                .array("ends", "timestamptz", settled, AttemptEnd::endedAt)
                .array("codes", "text", settled, end -> failure(end).map(Failure::code))
                .array("messages", "text", settled, end -> failure(end).map(Failure::message))
                .array("details", "text", settled, end -> failure(end).flatMap(Failure::details))
                .array("reasons", "text", settled, end -> end.verdict().reason())
                .array("progress", "text", settled, AttemptEnd::progress)
                .array("samples", "int", settled, end -> sampler.needs(end) ? 1 : 0),
        row -> {
          if (contended.isEmpty()) { // the same in each row
            row.texts("contended").forEach(lane -> contended.add(Long.valueOf(lane)));
          }
          return EndedRun.of(row);
        });
  }

  private record ReturnedRun(RunId id, Optional<String> cancelReason) {
    RunState state() {
      return cancelReason.isPresent() ? RunState.CANCELED : RunState.PENDING;
    }
  }

  /* The run may have been canceled before its attempt noticed. */
  private void cancelAsked(Transaction tx, List<ReturnedRun> pending, Instant now) {
    for (ReturnedRun run : pending) {
      run.cancelReason.ifPresent(
          reason ->
              new UnstartedRuns(tx)
                  .end(List.of(run.id), RunState.CANCELED, EndReason.canceled(reason), now));
    }
  }

  private List<ReturnedRun> retry(Transaction tx, Owner node, List<AttemptEnd> settled) {
    return tx.query(
        "try runs again",
        """
        update carillon.run as run
           set state = 'pending', wake_at = verdict.wake_at, node_id = null, node_epoch = null,
               started_at = null, progress = null, external_id = null, expires_at = null,
               attempts = case when jsonb_array_length(coalesce(run.attempts, '[]')) >= 20 then run.attempts - 0
                               else coalesce(run.attempts, '[]') end || verdict.record
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts),
                      (select :wakes), (select :records)::jsonb[])
            as verdict (schedule_id, slot, ordinal, attempt, wake_at, record)
         where run.schedule_id = verdict.schedule_id
           and run.slot = verdict.slot
           and run.ordinal = verdict.ordinal
           and run.state = 'running'
           and run.node_id = :node  -- fence: a recovered run belongs to another node, epoch or attempt
           and run.node_epoch = :epoch
           and run.attempt = verdict.attempt
        returning run.schedule_id, run.slot, run.ordinal, run.cancel_reason
        """,
        bind ->
            RunKeys.bind(node.bind(bind), settled, end -> end.run().id())
                .array("attempts", "int", settled, end -> end.verdict().attempt())
                .array("wakes", "timestamptz", settled, end -> end.verdict().wakeAt())
                .array("records", "text", settled, end -> RunRows.write(attempt(node, end))),
        row -> new ReturnedRun(RunRows.toId(row), row.optionalText("cancel_reason")));
  }

  /**
   * Return what became of runs by exactly these ends of attempts of {@code node}, which were
   * written before; without those that were not, or whose runs have changed since.
   */
  public Map<RunId, RunState> written(Transaction tx, Owner node, List<AttemptEnd> ends) {
    return tx.map(
        "find written ends",
        """
        with given as materialized (
          select *
            from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts),
                        (select :ends), (select :records)::jsonb[])
              as given (schedule_id, slot, ordinal, attempt, ended_at, record))
        select given.schedule_id, given.slot, given.ordinal, history.state
          from given
          join carillon.history
         using (schedule_id, slot, ordinal)
         where history.node_id = :node
           and history.attempt = given.attempt
           and history.finished_at = given.ended_at
         union all
        select given.schedule_id, given.slot, given.ordinal, 'pending'
          from given
          join carillon.any_run
         using (schedule_id, slot, ordinal)
         where any_run.attempts @> jsonb_build_array(given.record)
         union all
        select given.schedule_id, given.slot, given.ordinal, 'running'
          from given
          join carillon.run
         using (schedule_id, slot, ordinal)
         where run.state = 'running'
           and run.node_id = :node
           and run.node_epoch = :accepted
           and run.attempt = given.attempt
        """,
        bind ->
            RunKeys.bind(bind, ends, end -> end.run().id())
                .set("node", node.id())
                .set("accepted", Owner.ACCEPTED)
                .array("attempts", "int", ends, end -> end.verdict().attempt())
                .array("ends", "timestamptz", ends, AttemptEnd::endedAt)
                .array("records", "text", ends, end -> RunRows.write(attempt(node, end))),
        RunRows::toId,
        row -> row.constant("state", RunState.class));
  }

  /** Return claimed runs that never reached their target, as if they had not been claimed. */
  public List<RunId> giveBack(Transaction tx, Owner node, List<Run> runs, Instant now) {
    if (runs.isEmpty()) {
      return List.of();
    }
    var asked = new ArrayList<ReturnedRun>();
    List<EndedRun> returned =
        tx.query(
            "give runs back",
            """
            update carillon.run as run
               set state = 'pending', attempt = run.attempt - 1, node_id = null,
                   node_epoch = null, started_at = null
              from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts))
                as claimed (schedule_id, slot, ordinal, attempt)
             where run.schedule_id = claimed.schedule_id
               and run.slot = claimed.slot
               and run.ordinal = claimed.ordinal
               and run.state = 'running'
               and run.node_id = :node
               and run.node_epoch = :epoch
               and run.attempt = claimed.attempt
            returning run.schedule_id, run.slot, run.ordinal, run.trigger, run.state, run.lane, null as sequel,
                      run.policy, null as code, null as message, run.attempt,
                      run.cancel_reason
            """,
            bind ->
                RunKeys.bind(node.bind(bind), runs, Run::id)
                    .array("attempts", "int", runs, Run::attempt),
            row -> {
              asked.add(new ReturnedRun(RunRows.toId(row), row.optionalText("cancel_reason")));
              return row.integer("attempt") == 0
                  ? EndedRun.of(row)
                  : EndedRun.of(row).keepingLane();
            });
    new RunEndEffects(tx).freeLanes(returned);
    cancelAsked(tx, asked, now);
    return returned.stream().map(EndedRun::id).toList();
  }

  private static Optional<Failure> failure(AttemptEnd end) {
    return end.verdict().state() == RunState.FAILED ? end.verdict().failure() : Optional.empty();
  }

  private static Attempt attempt(Owner node, AttemptEnd end) {
    return new Attempt(
        end.verdict().attempt(),
        RunState.FAILED,
        Optional.of(node.id()),
        end.startedAt(),
        end.endedAt(),
        end.verdict().wakeAt(),
        end.verdict()
            .failure()
            .orElseGet(() -> Failure.of("interrupted", "the attempt was cut short")));
  }
}
