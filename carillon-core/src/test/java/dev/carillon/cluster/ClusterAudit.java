package dev.carillon.cluster;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.cluster.Casualty.Held;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.model.Schedule;
import dev.carillon.policy.Pacing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds what is in the database, and what handlers wrote down themselves, against what is promised.
 * It knows the tables, and nothing of how the engine works.
 */
final class ClusterAudit {
  /* Promises as queries for what breaks them. */
  private static final Map<String, String> LAWS =
      Map.ofEntries(
          Map.entry(
              "a slot has one run, live or finished",
              """
              select schedule_id, slot, ordinal, count(*)
                from carillon.any_run
               group by schedule_id, slot, ordinal
              having count(*) > 1
              """),
          Map.entry(
              "nothing starts before it is due",
              """
              select schedule_id, slot, due_at, started_at
                from (select schedule_id, slot, due_at, started_at from effect
                       union all
                      select schedule_id, slot, due_at, started_at from ledger) as start
               where started_at < due_at
              """),
          Map.entry(
              "an attempt is made once",
              """
              select schedule_id, slot, ordinal, attempt, array_agg(node), count(*)
                from effect
               group by schedule_id, slot, ordinal, attempt
              having count(*) > 1
              """),
          Map.entry(
              "at most once is once at most",
              """
              select schedule, slot, ordinal, array_agg(node), array_agg(attempt)
                from effect
               where at_most_one
               group by schedule, schedule_id, slot, ordinal
              having count(*) > 1
              """),
          Map.entry(
              "what succeeded was done by its last attempt",
              """
              select schedule_id, slot, ordinal, attempt
                from carillon.history as run
               where state = 'succeeded'
                 and target = 'work'
                 and not exists (select
                                   from effect
                                  where (effect.schedule_id, effect.slot, effect.ordinal, effect.attempt)
                                      = (run.schedule_id, run.slot, run.ordinal, run.attempt)
                                    and effect.ending = 'done')
              """),
          Map.entry(
              "a transactional effect is there exactly if its run succeeded",
              """
              select run.schedule_id, run.slot, run.ordinal, run.state, count(ledger.schedule_id)
                from carillon.any_run as run
                left join ledger
               using (schedule_id, slot, ordinal)
               where run.target = 'ledger'
               group by run.schedule_id, run.slot, run.ordinal, run.state
              having count(ledger.schedule_id) <> (run.state = 'succeeded')::int
              """),
          Map.entry(
              "a line in the ledger belongs to a run and its last attempt",
              """
              select ledger.schedule_id, ledger.slot, ledger.ordinal, ledger.attempt, run.attempt
                from ledger
                left join carillon.history as run
               using (schedule_id, slot, ordinal)
               where run.attempt is distinct from ledger.attempt
              """),
          Map.entry(
              "runs of an exclusive schedule do not meet",
              """
              with done as (
                select effect.*
                  from effect
                  join carillon.history as run
                 using (schedule_id, slot, ordinal, attempt)
                 where run.state = 'succeeded'
                   and run.overlap is not null)
              select one.schedule, one.slot, one.started_at, one.ended_at, one.node,
                     other.slot, other.started_at, other.ended_at, other.node
                from done as one
                join done as other
                  on other.schedule_id = one.schedule_id
                 and (other.slot, other.ordinal) > (one.slot, one.ordinal)
                 and tstzrange(other.started_at, other.ended_at) && tstzrange(one.started_at, one.ended_at)
              """),
          Map.entry(
              "no more attempts are made than counted",
              """
              select effect.schedule_id, effect.slot, effect.ordinal, effect.attempt, run.attempt
                from effect
                left join carillon.any_run as run
               using (schedule_id, slot, ordinal)
               where run.attempt is null
                  or effect.attempt > run.attempt
              """),
          Map.entry(
              "a run ends after it starts",
              """
              select schedule_id, slot, ordinal, started_at, finished_at
                from carillon.history
               where finished_at < started_at
              """),
          Map.entry(
              "a lane is held by a live run",
              """
              select lane.id, lane.slot, lane.ordinal
                from carillon.lane
               where lane.slot is not null
                 and not exists (select
                                   from carillon.run
                                  where (run.schedule_id, run.slot, run.ordinal) = (lane.id, lane.slot, lane.ordinal))
              """),
          Map.entry(
              "what repeats after its end leaves its period in between",
              """
              select key, earlier, slot
                from (select schedule.key, run.slot,
                             lag(run.finished_at) over (partition by run.schedule_id order by run.slot) as earlier
                        from carillon.history as run
                        join carillon.schedule
                          on schedule.id = run.schedule_id
                       where schedule.key like '%after-finish'
                         and run.ordinal = 0) as beat
               where slot < earlier + interval '1 second'
              """));

  private final Trial trial;
  private final Psql psql;
  private final Carillon door;
  private final List<String> complaints;
  private int takenOver;

  ClusterAudit(Trial trial, Psql psql, Carillon door) {
    this.trial = trial;
    this.psql = psql;
    this.door = door;
    this.complaints = new ArrayList<>(trial.complaints());
  }

  /** Return what is wrong; nothing if all is well. */
  List<String> complaints() {
    LAWS.forEach(
        (law, breaches) -> psql.rows(breaches).forEach(row -> complaints.add(law + ": " + row)));
    trial.schedules().forEach(this::slots);
    trial.enqueued().forEach(this::over);
    trial.casualties().forEach(this::takeover);
    return complaints;
  }

  /** Return how many attempts of nodes that were gone were followed by another. */
  int takenOver() {
    return takenOver;
  }

  /* Walked slot by slot, to owe nothing to how planning counts. */
  private void slots(ScheduleDraft draft) {
    Schedule schedule = door.schedules().get(draft.key()).orElseThrow();
    Definition definition = schedule.definition();
    if (definition.pacing() == Pacing.FINISH) {
      return;
    }
    Instant retiredAt = schedule.updated().at();
    Set<String> runs =
        psql
            .rows(
                "select slot from carillon.any_run where schedule_id = ? and ordinal = 0",
                schedule.id())
            .stream()
            .collect(Collectors.toSet());
    List<Range> decisions =
        psql
            .rows(
                "select first_slot, last_slot, slots, reason from carillon.decision where schedule_id = ?",
                schedule.id())
            .stream()
            .map(Range::of)
            .toList();
    var decided = new ArrayList<Instant>();
    for (Instant slot : definition.timing().between(schedule.created().at(), retiredAt)) {
      boolean isDecided = decisions.stream().anyMatch(range -> range.contains(slot));
      boolean ran = runs.contains(slot.toString());
      boolean came =
          !definition.jitter().dueAt(definition.timing(), draft.key(), slot).isAfter(retiredAt);
      if (isDecided && !ran) {
        decided.add(slot);
      } else if (came && !ran) {
        complaints.add(
            "a slot of %s became neither a run nor a decision: %s (created %s, retired %s)"
                .formatted(draft.key(), slot, schedule.created().at(), retiredAt));
      }
    }
    for (Range range : decisions) {
      long slots = decided.stream().filter(range::contains).count();
      if (slots != range.slots) {
        complaints.add("%s: %s slots of %s have no run".formatted(range, slots, draft.key()));
      }
    }
  }

  private record Range(Instant first, Instant last, long slots, String reason) {
    static Range of(String row) {
      List<String> cells = List.of(row.split(" "));
      return new Range(
          Instant.parse(cells.get(0)),
          Instant.parse(cells.get(1)),
          Long.parseLong(cells.get(2)),
          cells.get(3));
    }

    boolean contains(Instant slot) {
      return !slot.isBefore(first) && !slot.isAfter(last);
    }
  }

  private void over(RunId id) {
    if (psql.rows(
            "select from carillon.history where schedule_id = ? and slot = ?",
            id.schedule(),
            id.slot())
        .isEmpty()) {
      complaints.add("work was acknowledged and is lost: " + id);
    }
  }

  private void takeover(Casualty casualty) {
    for (Held held : casualty.held()) {
      String what =
          "attempt %s of %s@%s, which %s was at when it was %s at %s"
              .formatted(
                  held.attempt(),
                  held.schedule(),
                  held.slot(),
                  casualty.node(),
                  casualty.frozen() ? "frozen" : "killed",
                  casualty.at());
      Optional<Instant> wentOn = wentOn(held);
      if (wentOn.isEmpty()) {
        complaints.add(what + ", never went on");
      } else if (wentOn.get().isAfter(casualty.at().plus(Trial.TAKEOVER))
          && !trial.outageAfter(casualty.at())) {
        complaints.add(what + ", went on only at " + wentOn.get());
      }
      if (casualty.frozen()) {
        changedNothing(casualty, held, what);
      }
      takenOver++;
    }
  }

  /** Find when the next attempt began, or the run was over without one. */
  private Optional<Instant> wentOn(Held held) {
    return psql
        .rows(
            """
            select min(at)
              from (select started_at as at
                      from effect
                     where (schedule_id, slot, ordinal) = (?, ?, ?)
                       and attempt > ?
                     union all
                    select finished_at
                      from carillon.history
                     where (schedule_id, slot, ordinal) = (?, ?, ?)) as next
            """,
            held.schedule(),
            held.slot(),
            held.ordinal(),
            held.attempt(),
            held.schedule(),
            held.slot(),
            held.ordinal())
        .stream()
        .filter(row -> !row.equals("null"))
        .map(Instant::parse)
        .findFirst();
  }

  /* It may have finished its own work before it heard, but its word did not count. */
  private void changedNothing(Casualty casualty, Held held, String what) {
    psql.rows(
            """
            select run.state, effect.ending
              from carillon.history as run
              left join effect
             using (schedule_id, slot, ordinal, attempt)
             where (run.schedule_id, run.slot, run.ordinal, run.attempt) = (?, ?, ?, ?)
               and run.state = 'succeeded'
               and run.started_at < ?
            """,
            held.schedule(),
            held.slot(),
            held.ordinal(),
            held.attempt(),
            casualty.at())
        .forEach(row -> complaints.add(what + ", succeeded there all the same: " + row));
  }
}
