package dev.carillon.store.backup;

import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.Plan;
import dev.carillon.plan.Planner;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.plan.PlanStore;
import dev.carillon.store.plan.PlanStore.Candidate;
import dev.carillon.store.plan.PlanStore.CursorRow;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import javax.sql.DataSource;

/**
 * What the first node on a database will do when it starts: how schedules catch up with missed
 * slots, and how many runs are due or were running.
 *
 * @param at the time of the forecast, by the database's clock
 * @param byMode totals of schedules with missed slots
 * @param most up to ten schedules with most missed slots
 */
public record StartForecast(
    Instant at, Map<CatchUp.Mode, Total> byMode, List<Missed> most, long pending, long running) {
  private static final int SHOWN = 10;
  private static final int BATCH = 1_000;

  /** Schedules with the same catch-up mode, their slots that run, and those recorded as missed. */
  public record Total(long schedules, long runs, long dropped) {
    private Total plus(Missed one) {
      return new Total(schedules + 1, runs + one.runs, dropped + one.dropped);
    }
  }

  /** A schedule with missed slots: how many run, and how many do not. */
  public record Missed(String key, CatchUp.Mode mode, long runs, long dropped) {
    /** Return the number of missed slots. */
    public long slots() {
      return runs + dropped;
    }
  }

  public StartForecast {
    byMode = Map.copyOf(byMode);
    most = List.copyOf(most);
  }

  /** Make the forecast for the database of {@code source}, without changes. */
  public static StartForecast of(DataSource source) {
    var database = new Database(source);
    Instant now = new NodeStore(database).clock();
    var plans = new PlanStore(database);
    var byMode = new EnumMap<CatchUp.Mode, Total>(CatchUp.Mode.class);
    var most =
        new PriorityQueue<>(
            Comparator.comparingLong(Missed::slots)
                .thenComparing(Missed::key, Comparator.reverseOrder()));
    long after = 0;
    List<CursorRow> overdue = plans.overdue(after, now, BATCH);
    while (!overdue.isEmpty()) {
      for (Candidate candidate : plans.candidates(database, overdue)) {
        missed(candidate, now)
            .ifPresent(
                one -> {
                  byMode.merge(
                      one.mode(), new Total(0, 0, 0).plus(one), (total, first) -> total.plus(one));
                  most.add(one);
                  if (most.size() > SHOWN) {
                    most.remove();
                  }
                });
      }
      after = overdue.get(overdue.size() - 1).scheduleId();
      overdue = plans.overdue(after, now, BATCH);
    }
    return new StartForecast(
        now,
        byMode,
        most.stream()
            .sorted(Comparator.comparingLong(Missed::slots).reversed().thenComparing(Missed::key))
            .toList(),
        new Catalog(database).dueRuns(),
        new Catalog(database).runningRuns());
  }

  private static Optional<Missed> missed(Candidate candidate, Instant now) {
    try {
      return candidate.standing().flatMap(standing -> missed(standing, now));
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty(); // planning pauses it and says why
    }
  }

  private static Optional<Missed> missed(Standing standing, Instant now) {
    Plan plan = Planner.plan(standing, now, now);
    long runs = plan.runs().stream().filter(run -> !run.slot().isAfter(now)).count();
    long dropped = plan.dropped().stream().mapToLong(DroppedSlots::slots).sum();
    return runs + dropped == 0
        ? Optional.empty()
        : Optional.of(
            new Missed(standing.key(), standing.definition().catchUp().mode(), runs, dropped));
  }
}
