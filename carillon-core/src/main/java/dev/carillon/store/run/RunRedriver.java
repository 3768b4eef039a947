package dev.carillon.store.run;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore.Backfill;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Moves unsuccessful runs from the history back to pending. */
final class RunRedriver {
  List<RunId> again(Transaction tx, List<Run> runs, Optional<Payload> payload, ChangedBy by) {
    if (runs.isEmpty()) {
      return List.of();
    }
    List<Instant> slots = runs.stream().map(Run::slot).sorted().toList();
    return tx.query(
        "run again",
        """
        with back as (
          delete from carillon.history
           using unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts),
                        (select :states), (select :policies))
              as ended (schedule_id, slot, ordinal, attempt, state, policy)
           where history.schedule_id = ended.schedule_id
             and history.slot = ended.slot
             and history.ordinal = ended.ordinal
             and history.attempt = ended.attempt  -- fence: it may have been run again since
             and history.state = ended.state
             and history.state <> 'succeeded'
             and history.slot between :first and :last  -- leaves out the partitions of other slots
          returning history.*, ended.policy as renewed),
        counted as (
          insert into carillon.run_count_delta (hour, target, state, runs)
          select date_bin('1 hour', slot, 'epoch'), target, state, -count(*)
            from back
           group by 1, 2, 3)
        insert into carillon.run
               (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, wake_at, attempt, lane,
                overlap, policy, attempts, correlation, created_by)
        select schedule_id, slot, ordinal, version, trigger, target, coalesce(:payload::jsonb, payload), :now, :now,
               attempt, case when overlap is not null then schedule_id end,
               case when overlap is not null then :inTurn end,  -- it waits for its lane, also if its schedule would skip it
               renewed::jsonb,
               case when started_at is null then attempts
                    else coalesce(attempts, '[]') || jsonb_build_object(
                           'number', attempt, 'state', state, 'node', node_id,
                           'startedAt', to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                           'finishedAt', to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                           'code', coalesce(failure_code, state),
                           'message', coalesce(failure_message, reason, ''))
                    end,
               correlation, coalesce(created_by, :actor)
          from back
            on conflict do nothing
        returning schedule_id, slot, ordinal
        """,
        bind ->
            RunKeys.bind(bind, runs, Run::id)
                .array("attempts", "int", runs, Run::attempt)
                .array("states", "text", runs, run -> EnumText.of(run.state()))
                .array("policies", "text", runs, run -> RunPolicyJson.of(renewed(run)))
                .set("first", slots.get(0))
                .set("last", slots.get(slots.size() - 1))
                .set("payload", payload.map(Payload::json))
                .set("inTurn", LaneStore.IN_TURN)
                .set("actor", by.by())
                .set("now", by.at()),
        RunRows::toId);
  }

  /** Run skipped or canceled slots again by the current definition; earlier attempts are kept. */
  List<RunId> refill(
      Transaction tx, Schedule schedule, List<Backfill> slots, Overlap overlap, String actor) {
    if (slots.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "fill slots again",
        """
        with back as (
          delete from carillon.history
           using unnest((select :slots), (select :dueAts)) as past (slot, due_at)
           where history.schedule_id = :schedule
             and history.slot = past.slot
             and history.ordinal = 0
             and history.state in ('skipped', 'canceled')  -- fence: it may have been run again since
             and history.slot between :first and :last  -- leaves out the partitions of other slots
          returning history.*, past.due_at as again_at),
        counted as (
          insert into carillon.run_count_delta (hour, target, state, runs)
          select date_bin('1 hour', slot, 'epoch'), target, state, -count(*)
            from back
           group by 1, 2, 3)
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, attempt, lane, overlap, policy,
                attempts, correlation, created_by)
        select schedule_id, slot, :version, 'backfill', :target, :payload::jsonb, again_at, again_at, attempt, :lane,
               :overlap,
               case when attempt = 0 then :policy::jsonb
                    else coalesce(:policy::jsonb, '{}') || jsonb_build_object('attemptsBefore', attempt) end,
               case when started_at is null then attempts
                    else coalesce(attempts, '[]') || jsonb_build_object(
                           'number', attempt, 'state', state, 'node', node_id,
                           'startedAt', to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                           'finishedAt', to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                           'code', state,
                           'message', coalesce(reason, ''))
                    end,
               correlation, :actor
          from back
            on conflict do nothing
        returning schedule_id, slot, ordinal
        """,
        bind ->
            RunStore.bindNew(bind, schedule, overlap, actor)
                .set("payload", schedule.definition().payload().json())
                .set("first", slots.get(0).slot())
                .set("last", slots.get(slots.size() - 1).slot())
                .array("slots", "timestamptz", slots, Backfill::slot)
                .array("dueAts", "timestamptz", slots, Backfill::dueAt),
        RunRows::toId);
  }

  /* Earlier attempts do not count against the limit, but their numbers, which are fences, go on. */
  private static RunPolicy renewed(Run run) {
    return run.policy().renewedAfter(run.attempt());
  }
}
