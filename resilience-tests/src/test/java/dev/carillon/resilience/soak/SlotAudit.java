package dev.carillon.resilience.soak;

import dev.carillon.resilience.cluster.Call;
import dev.carillon.resilience.cluster.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What became of the slots that the schedules must have had, by the tables and by the journal.
 *
 * @param slots how many slots there were
 * @param succeeded of those, how many have a run that succeeded
 * @param decided how many were left out, or their run skipped, for a recorded reason
 * @param failed how many have a run that failed, such as when its node was lost three times
 * @param lost how many have neither
 * @param unheard how many runs of the journal's target succeeded without a call in the journal
 * @param calls how many calls the journal has
 * @param doubled how many slots came with two runs, and attempts that came twice
 * @param early how many calls came before their slot
 * @param again how many calls were a second or later attempt
 * @param lateness of the calls: 50, 99 and 100 of 100 were not later
 */
record SlotAudit(
    long slots,
    long succeeded,
    long decided,
    long failed,
    long lost,
    long unheard,
    long calls,
    long doubled,
    long early,
    long again,
    List<Duration> lateness) {

  static SlotAudit of(PostgresServer postgres, List<Call> calls, Instant first, Instant last) {
    List<String> row =
        postgres
            .rows(
                """
                with slot as materialized (
                  select schedule.id, at.slot
                    from carillon.schedule
                   cross join generate_series(timestamptz '%s', timestamptz '%s', interval '1 second') as at (slot)
                ),
                decided as materialized (
                  select decision.schedule_id as id, at.slot
                    from carillon.decision
                   cross join generate_series(first_slot, last_slot, interval '1 second') as at (slot)
                )
                select count(*),
                       count(*) filter (where history.state = 'succeeded'),
                       count(*) filter (where history.state in ('skipped', 'canceled')
                                           or (history.state is null and decided.slot is not null)),
                       count(*) filter (where history.state = 'failed'),
                       count(*) filter (where history.state is null and decided.slot is null)
                  from slot
                  left join carillon.history
                    on history.schedule_id = slot.id and history.slot = slot.slot and history.ordinal = 0
                  left join decided
                    on decided.id = slot.id and decided.slot = slot.slot"""
                    .formatted(first, last))
            .get(0);
    var heard = new HashSet<String>();
    var runs = new HashMap<String, String>();
    var attempts = new HashSet<String>();
    long doubled = 0;
    long early = 0;
    long again = 0;
    var lateness = new ArrayList<Duration>();
    for (Call call : calls) {
      String slot = call.schedule() + " " + call.slot().getEpochSecond();
      heard.add(slot);
      if (!runs.computeIfAbsent(slot, key -> call.run()).equals(call.run())
          || !attempts.add(call.run() + " " + call.attempt())) {
        doubled++;
      }
      if (call.begin().isBefore(call.slot())) {
        early++;
      }
      if (call.attempt() > 1) {
        again++;
      }
      lateness.add(Duration.between(call.slot(), call.begin()));
    }
    long unheard = 0;
    for (List<String> success :
        postgres.rows(
            """
            select schedule.key || ' ' || extract(epoch from history.slot)::bigint
              from carillon.history
              join carillon.schedule on schedule.id = history.schedule_id
             where history.target = 'journal' and history.state = 'succeeded'""")) {
      if (!heard.contains(success.get(0))) {
        unheard++;
      }
    }
    return new SlotAudit(
        Long.parseLong(row.get(0)),
        Long.parseLong(row.get(1)),
        Long.parseLong(row.get(2)),
        Long.parseLong(row.get(3)),
        Long.parseLong(row.get(4)),
        unheard,
        calls.size(),
        doubled,
        early,
        again,
        quantiles(lateness));
  }

  private static List<Duration> quantiles(List<Duration> durations) {
    if (durations.isEmpty()) {
      return List.of(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }
    Collections.sort(durations);
    int last = durations.size() - 1;
    return List.of(
        durations.get(last / 2), durations.get((int) (last * 0.99)), durations.get(last));
  }

  boolean holds() {
    return lost == 0 && doubled == 0 && early == 0 && unheard == 0;
  }

  /** Return the figures by their names. */
  Map<String, String> figures() {
    var figures = new LinkedHashMap<String, String>();
    figures.put("slots", grouped(slots));
    figures.put("run succeeded", grouped(succeeded));
    figures.put("left out or skipped, with the reason", grouped(decided));
    figures.put("run failed, with the reason", grouped(failed));
    figures.put("**lost**", grouped(lost));
    figures.put("calls in the journal", grouped(calls));
    figures.put("… of later attempts", grouped(again));
    figures.put("**two runs of a slot, or an attempt twice**", grouped(doubled));
    figures.put("**before their slot**", grouped(early));
    figures.put("**succeeded without a call**", grouped(unheard));
    figures.put("lateness of calls, median", lateness.get(0).toMillis() + " ms");
    figures.put("… 99 of 100", lateness.get(1).toMillis() + " ms");
    figures.put("… greatest", lateness.get(2).toMillis() + " ms");
    return figures;
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
