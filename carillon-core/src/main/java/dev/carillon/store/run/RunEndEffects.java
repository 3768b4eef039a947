package dev.carillon.store.run;

import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the end of a run brings about, in the same transaction: its lane is freed, failures in a row
 * are counted, and its schedule may retire, repeat or be paused.
 */
final class RunEndEffects {
  private final Transaction tx;

  RunEndEffects(Transaction tx) {
    this.tx = tx;
  }

  void follow(List<EndedRun> ended, Instant now) {
    freeLanes(ended);
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

  /* Freeing waits for a claim that is looking at the lane; so waking, which comes after it as a
   * statement of its own, sees the run that the claim may just have parked. A lane that is free already
   * was left to a run that now ends without having started: the next in line is woken in its place. */
  void freeLanes(List<EndedRun> ended) {
    List<EndedRun> holders = ended.stream().filter(end -> end.lane().isPresent()).toList();
    if (holders.isEmpty()) {
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
                bind -> RunKeys.bind(bind, holders, EndedRun::id),
                row ->
                    row.flag("contended") ? Optional.of(row.number("id")) : Optional.<Long>empty())
            .stream()
            .flatMap(Optional::stream)
            .toList();
    if (!contended.isEmpty()) {
      List<Long> woken = wakeFirst(contended);
      clearContended(contended.stream().filter(lane -> !woken.contains(lane)).toList());
    }
  }

  private void clearContended(List<Long> lanes) {
    if (!lanes.isEmpty()) {
      tx.update(
          "calm lanes",
          """
          update carillon.lane
             set contended = false
           where id = any(:lanes)
          """,
          bind -> bind.array("lanes", "bigint", lanes, lane -> lane));
    }
  }

  private List<Long> wakeFirst(List<Long> lanes) {
    return tx.query(
        "wake the first in each lane",
        """
        update carillon.run as run
           set wake_at = run.due_at  -- not now: it must be found before those of its lane that came later
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
        returning run.schedule_id
        """,
        bind -> bind.array("lanes", "bigint", lanes, lane -> lane),
        row -> row.number("schedule_id"));
  }

  private void count(List<EndedRun> ended, Instant now) {
    Map<Long, Streak> streaks = streaks(ended);
    List<Long> mended =
        streaks.keySet().stream().filter(id -> streak(streaks, id).mended()).toList();
    if (!mended.isEmpty()) {
      tx.update(
          "forget failures",
          """
          delete from carillon.failure_streak
           where schedule_id = any(:schedules)
          """,
          bind -> bind.array("schedules", "bigint", mended, id -> id));
    }
    List<Long> failing =
        streaks.keySet().stream()
            .filter(id -> streak(streaks, id).failures() > 0)
            .sorted()
            .toList();
    if (failing.isEmpty()) {
      return;
    }
    Map<Long, Integer> counts = new LinkedHashMap<>();
    tx.query(
            "count failures",
            """
            insert into carillon.failure_streak as failure_streak (schedule_id, failures, since)
            select schedule_id, failures, :now
              from unnest(:schedules, :failures) as failed (schedule_id, failures)
             order by schedule_id
                on conflict (schedule_id)
                do update set failures = failure_streak.failures + excluded.failures
            returning schedule_id, failures
            """,
            bind ->
                bind.set("now", now)
                    .array("schedules", "bigint", failing, id -> id)
                    .array("failures", "int", failing, id -> streak(streaks, id).failures()),
            row -> Map.entry(row.number("schedule_id"), row.integer("failures")))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
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

  /* The failures of one schedule at the end of a batch, and whether a success came before them. */
  private record Streak(boolean mended, int failures, int brake, String last) {
    static final Streak NONE = new Streak(false, 0, 0, "");

    Streak after(EndedRun end) {
      if (end.state() == RunState.SUCCEEDED) {
        return new Streak(true, 0, 0, "");
      }
      return end.state() == RunState.FAILED
          ? new Streak(
              mended, failures + 1, end.policy().pauseAfterFailures(), end.failure().orElse(""))
          : this;
    }
  }

  /* The planner works the slot out; until then, the next slot only says "look at me". */
  private void repeat(List<Long> ids, Instant now) {
    lockCursors(ids);
    tx.update(
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

  /* A statement of its own: one that waited for a change of the schedule would not see it, and let a
   * retired schedule go on. */
  private void lockCursors(List<Long> ids) {
    tx.query(
        "lock cursors to repeat",
        """
        select schedule_id
          from carillon.cursor  -- against changes of the schedule, which go first or wait
         where schedule_id = any(:ids)
         order by schedule_id
           for update
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row -> true);
  }
}
