package dev.carillon.store.run;

import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The effects of ended runs, in the same transaction: free lanes, count failures in a row, and
 * complete, repeat or pause schedules.
 */
final class RunEndEffects {
  private static final String COUNT =
      """
      insert into carillon.failure_streak as failure_streak (schedule_id, failures, since)
      select schedule_id, failures, :now
        from unnest(:schedules, :failures) as failed (schedule_id, failures)
       order by schedule_id
          on conflict (schedule_id)
          do update set failures = failure_streak.failures + excluded.failures
      returning schedule_id, failures
      """;

  private final Transaction tx;

  RunEndEffects(Transaction tx) {
    this.tx = tx;
  }

  void follow(List<EndedRun> ended, Instant now) {
    freeLanes(ended);
    followFreed(ended, now);
  }

  /** Do the same as {@link #follow} for runs whose lanes are free already. */
  void followFreed(List<EndedRun> ended, Instant now) {
    count(ended, now);
    List<Long> retiring = schedulesWith("retire", ended);
    if (!retiring.isEmpty()) {
      new ScheduleChanges(tx).complete(retiring, now);
    }
    List<Long> repeating = schedulesWith("repeat", ended);
    if (!repeating.isEmpty()) {
      repeat(repeating, now);
    }
  }

  private static List<Long> schedulesWith(String sequel, List<EndedRun> ended) {
    return ended.stream()
        .filter(end -> end.sequel().filter(sequel::equals).isPresent())
        .map(end -> end.id().schedule())
        .sorted()
        .distinct()
        .toList();
  }

  /* Freeing waits for a claim that has locked the lane; waking is a later statement, so it sees a run
   * that the claim parked. A lane that is free already was left to a run that ends without a start. */
  void freeLanes(List<EndedRun> ended) {
    List<EndedRun> laneOwners = ended.stream().filter(end -> end.lane().isPresent()).toList();
    if (laneOwners.isEmpty()) {
      return;
    }
    List<Long> contended =
        tx
            .query(
                "free lanes",
                """
                update carillon.lane
                   set slot = null, ordinal = null
                  from unnest(:schedules, :slots, :ordinals) as ended (schedule_id, slot, ordinal)
                 where lane.id = ended.schedule_id
                   and (lane.slot is null or (lane.slot = ended.slot and lane.ordinal = ended.ordinal))
                returning lane.id, lane.contended
                """,
                bind -> RunKeys.bind(bind, laneOwners, EndedRun::id),
                row ->
                    row.flag("contended") ? Optional.of(row.number("id")) : Optional.<Long>empty())
            .stream()
            .flatMap(Optional::stream)
            .toList();
    wakeFirst(contended);
  }

  /** Wake the first run that waits in each of {@code lanes}, which are freed and locked. */
  void wakeFirst(Collection<Long> lanes) {
    if (lanes.isEmpty()) {
      return;
    }
    tx.later(
        "wake the first in each lane",
        """
        with woken as (
          update carillon.run as run
             set wake_at = run.due_at  -- not now: it is claimed before later runs of its lane
            from (select first.schedule_id, first.slot, first.ordinal
                    from unnest(:lanes) as freed (id)
                   cross join lateral (
                         select schedule_id, slot, ordinal
                           from carillon.run
                          where schedule_id = freed.id
                            and lane is not null
                            and state = 'pending'
                            and wake_at is null
                          order by slot, ordinal
                          limit 1) as first) as first
           where run.schedule_id = first.schedule_id
             and run.slot = first.slot
             and run.ordinal = first.ordinal
          returning run.schedule_id)
        update carillon.lane
           set contended = false
         where id = any(:lanes)
           and id not in (select schedule_id from woken)
        """,
        bind -> bind.array("lanes", "bigint", lanes, lane -> lane));
  }

  private void count(List<EndedRun> ended, Instant now) {
    Map<Long, Streak> streaks = streaks(ended);
    List<Long> reset = streaks.keySet().stream().filter(id -> streak(streaks, id).reset()).toList();
    if (!reset.isEmpty()) {
      tx.later(
          "forget failures",
          """
          delete from carillon.failure_streak
           where schedule_id = any(:schedules)
          """,
          bind -> bind.array("schedules", "bigint", reset, id -> id));
    }
    List<Long> failing =
        streaks.keySet().stream()
            .filter(id -> streak(streaks, id).failures() > 0)
            .sorted()
            .toList();
    if (failing.isEmpty()) {
      return;
    }
    Consumer<Bind> binder =
        bind ->
            bind.set("now", now)
                .array("schedules", "bigint", failing, id -> id)
                .array("failures", "int", failing, id -> streak(streaks, id).failures());
    if (failing.stream().allMatch(id -> streak(streaks, id).brake() == 0)) {
      tx.later("count failures", COUNT, binder);
      return;
    }
    Map<Long, Integer> counts =
        tx.map(
            "count failures",
            COUNT,
            binder,
            row -> row.number("schedule_id"),
            row -> row.integer("failures"));
    counts.forEach(
        (id, failures) -> {
          int brake = streak(streaks, id).brake();
          if (brake > 0 && failures >= brake) {
            new ScheduleChanges(tx).brake(id, failures, streak(streaks, id).last(), now);
          }
        });
  }

  private static Streak streak(Map<Long, Streak> streaks, long id) {
    return streaks.getOrDefault(id, Streak.NONE);
  }

  private static Map<Long, Streak> streaks(List<EndedRun> ended) {
    var streaks = new LinkedHashMap<Long, Streak>();
    for (EndedRun end : ended) {
      if (end.ofSchedule()) {
        long id = end.id().schedule();
        streaks.put(id, streak(streaks, id).after(end));
      }
    }
    return streaks;
  }

  /* The failures of a schedule at the end of a batch, after a success if reset. */
  private record Streak(boolean reset, int failures, int brake, String last) {
    static final Streak NONE = new Streak(false, 0, 0, "");

    Streak after(EndedRun end) {
      if (end.state() == RunState.SUCCEEDED) {
        return new Streak(true, 0, 0, "");
      }
      return end.state() == RunState.FAILED
          ? new Streak(
              reset, failures + 1, end.policy().pauseAfterFailures(), end.failure().orElse(""))
          : this;
    }
  }

  /* The planner computes the real next slot; this one makes it look at the schedule. */
  private void repeat(List<Long> ids, Instant now) {
    lockCursors(ids);
    tx.later(
        "let schedules repeat",
        """
        update carillon.cursor
           set planned_through = greatest(planned_through, :now),
               next_slot = greatest(planned_through, :now) + interval '1 microsecond',
               plan_by = greatest(planned_through, :now) + interval '1 microsecond'
          from carillon.schedule
         where cursor.schedule_id = any(:ids)
           and cursor.next_slot is null
           and schedule.id = cursor.schedule_id
           and schedule.status = 'active'
        """,
        bind -> bind.set("now", now).array("ids", "bigint", ids, id -> id));
  }

  /* A separate statement: an update that waited for a change of the schedule would not see it. */
  private void lockCursors(List<Long> ids) {
    tx.later(
        "lock cursors to repeat",
        """
        select schedule_id
          from carillon.cursor  -- against changes of the schedule, which go first or wait
         where schedule_id = any(:ids)
         order by schedule_id
           for update
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id));
  }
}
