package dev.carillon.cluster;

import dev.carillon.cluster.Casualty.Held;
import dev.carillon.fixture.Psql;
import dev.carillon.model.RunId;
import dev.carillon.simulation.Auditor;
import dev.carillon.simulation.Effect;
import dev.carillon.simulation.Effect.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Holds what is in the database, and what handlers wrote down themselves, against what is promised.
 * To what any auditor checks it adds what only real processes can break.
 */
final class ClusterAudit {
  /* Promises as queries for what breaks them. */
  private static final Map<String, String> LAWS =
      Map.of(
          "a line in the ledger is there exactly if its run succeeded",
          """
          select run.schedule_id, run.slot, run.ordinal, run.state, count(ledger.schedule_id)
            from carillon.any_run as run
            left join ledger
           using (schedule_id, slot, ordinal)
           where run.target = 'ledger'
           group by run.schedule_id, run.slot, run.ordinal, run.state
          having count(ledger.schedule_id) <> (run.state = 'succeeded')::int
          """,
          "a line in the ledger is by the last attempt of a run",
          """
          select ledger.schedule_id, ledger.slot, ledger.ordinal, ledger.attempt, run.attempt
            from ledger
            left join carillon.history as run
           using (schedule_id, slot, ordinal)
           where run.attempt is distinct from ledger.attempt
          """,
          "at most once is once at most, also without a schedule",
          """
          select effect.schedule_id, effect.slot, effect.ordinal, count(*)
            from effect
            join carillon.history as run
           using (schedule_id, slot, ordinal)
           where run.policy ->> 'recovery' = 'fail'
           group by effect.schedule_id, effect.slot, effect.ordinal
          having count(*) > 1
          """,
          "nothing plans a schedule that is not active",
          """
          select schedule.key, schedule.status, cursor.next_slot
            from carillon.schedule
            join carillon.cursor
              on cursor.schedule_id = schedule.id
           where schedule.status <> 'active'
             and cursor.next_slot is not null
          """);

  private final Trial trial;
  private final Cluster cluster;
  private final Psql psql;
  private int runs;
  private int takenOver;

  ClusterAudit(Trial trial, Cluster cluster) {
    this.trial = trial;
    this.cluster = cluster;
    this.psql = new Psql(cluster.source());
  }

  /** Return what is wrong; nothing if all is well. */
  List<String> complaints() {
    var complaints = new ArrayList<>(trial.complaints());
    Auditor.Findings findings =
        new Auditor(cluster.source()).audit(effects(), trial.enqueued(), Set.of(), cluster.now());
    runs = findings.runs();
    findings.violations().forEach(violation -> complaints.add(violation.toString()));
    LAWS.forEach(
        (law, breaches) -> psql.rows(breaches).forEach(row -> complaints.add(law + ": " + row)));
    for (Casualty casualty : trial.casualties()) {
      casualty.held().forEach(held -> takeover(casualty, held).ifPresent(complaints::add));
      if (casualty.frozen()) {
        casualty.held().forEach(held -> word(casualty, held).ifPresent(complaints::add));
      }
    }
    return complaints;
  }

  /** Return how many runs were audited. */
  int runs() {
    return runs;
  }

  /** Return how many attempts of nodes that were gone were taken over. */
  int takenOver() {
    return takenOver;
  }

  private List<Effect> effects() {
    var effects = new ArrayList<Effect>();
    for (String row :
        psql.rows(
            """
            select schedule_id, slot, ordinal, attempt, node, due_at, started_at, ended_at, ending
              from effect
             order by started_at
            """)) {
      List<String> cells = List.of(row.split(" "));
      var run =
          new RunId(
              Long.parseLong(cells.get(0)),
              Instant.parse(cells.get(1)),
              Integer.parseInt(cells.get(2)));
      int attempt = Integer.parseInt(cells.get(3));
      UUID node = UUID.fromString(cells.get(4));
      Instant dueAt = Instant.parse(cells.get(5));
      effects.add(new Effect(run, attempt, node, Instant.parse(cells.get(6)), dueAt, What.STARTED));
      if (!cells.get(7).equals("null")) {
        What what = cells.get(8).equals("done") ? What.FINISHED : What.FAILED;
        effects.add(new Effect(run, attempt, node, Instant.parse(cells.get(7)), dueAt, what));
      }
    }
    return effects;
  }

  /* What a node that is gone was at goes on elsewhere, or has failed, and soon. */
  private Optional<String> takeover(Casualty casualty, Held held) {
    takenOver++;
    Optional<Instant> wentOn =
        psql
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
    boolean soon = wentOn.filter(at -> !at.isAfter(casualty.at().plus(Trial.TAKEOVER))).isPresent();
    return soon || trial.outageAfter(casualty.at())
        ? Optional.empty()
        : Optional.of("%s went on at %s".formatted(text(casualty, held), wentOn));
  }

  /* A node that others have given up may finish its work before it hears of that, but its word does
   * not count any more. */
  private Optional<String> word(Casualty casualty, Held held) {
    return psql
        .rows(
            """
            select run.state, run.finished_at
              from carillon.history as run
             where (run.schedule_id, run.slot, run.ordinal, run.attempt) = (?, ?, ?, ?)
               and run.node_id = ?
               and (run.state = 'succeeded' or run.failure_code <> 'node_lost')
               and run.finished_at > ?
            """,
            held.schedule(),
            held.slot(),
            held.ordinal(),
            held.attempt(),
            casualty.node(),
            casualty.at())
        .stream()
        .map(row -> text(casualty, held) + " was settled there all the same: " + row)
        .findFirst();
  }

  private static String text(Casualty casualty, Held held) {
    return "attempt %s of %s@%s, which %s was at when it was %s at %s,"
        .formatted(
            held.attempt(),
            held.schedule(),
            held.slot(),
            casualty.name(),
            casualty.frozen() ? "frozen" : "killed",
            casualty.at());
  }
}
