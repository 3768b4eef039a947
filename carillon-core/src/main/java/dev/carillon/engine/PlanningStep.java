package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.plan.Plan;
import dev.carillon.plan.Planner;
import dev.carillon.plan.Standing;
import dev.carillon.store.PlanStore;
import dev.carillon.store.PlanStore.Candidate;
import dev.carillon.store.PlanStore.Planned;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.StoreException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns due schedules into runs: read what is due, decide, write the decisions down. */
final class PlanningStep implements Step {
  private static final int BATCH = 200;

  private final Parts parts;
  private final PlanStore plans;
  private final ScheduleStore schedules;
  private final Membership membership;
  private final Runnable planned;

  /** Call {@code planned} when there are new runs to wait for. */
  PlanningStep(
      Parts parts,
      PlanStore plans,
      ScheduleStore schedules,
      Membership membership,
      Runnable planned) {
    this.parts = parts;
    this.plans = plans;
    this.schedules = schedules;
    this.membership = membership;
    this.planned = planned;
  }

  @Override
  public Duration run(Instant now) {
    if (!membership.holds(now)) {
      return parts.settings().poll();
    }
    parts.inTransaction(
        () -> {
          parts.notices().add(schedules.resumeDue(now));
          return true;
        });
    return plan(now, BATCH) == BATCH ? Duration.ZERO : rest(now);
  }

  private Instant until(Instant now) {
    return now.plus(parts.settings().planningAhead());
  }

  private Duration rest(Instant now) {
    Duration poll = parts.settings().poll();
    return plans
        .nextPlanBy()
        .map(by -> Duration.between(until(now), by))
        .filter(wait -> wait.compareTo(poll) < 0)
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
        .orElse(poll);
  }

  /* A batch that PostgreSQL refuses is halved until the schedule to blame is alone. */
  private int plan(Instant now, int size) {
    try {
      List<Long> seen = new ArrayList<>();
      List<Planned> written = parts.inTransaction(() -> write(now, size, seen));
      written.forEach(one -> tell(one, now));
      if (written.stream().anyMatch(one -> !one.plan().runs().isEmpty())) {
        planned.run();
      }
      return seen.size();
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      if (size > 1) {
        return plan(now, size / 2);
      }
      return quarantineFirst(now, e);
    }
  }

  private List<Planned> write(Instant now, int size, List<Long> seen) {
    seen.clear();
    seen.addAll(plans.lockDue(until(now), size));
    if (seen.isEmpty()) {
      return List.of();
    }
    var planned = new ArrayList<Planned>();
    for (Candidate candidate : plans.standings(seen)) {
      decide(candidate, now).ifPresent(planned::add);
    }
    plans.write(planned, now);
    List<Long> complete =
        planned.stream()
            .filter(one -> one.plan().complete())
            .map(one -> one.standing().scheduleId())
            .toList();
    if (!complete.isEmpty()) {
      parts.notices().complete(complete, now);
    }
    return planned;
  }

  private Optional<Planned> decide(Candidate candidate, Instant now) {
    try {
      Optional<Standing> standing = candidate.standing();
      if (standing.isPresent()) {
        Plan plan = Planner.plan(standing.get(), now, now.plus(parts.settings().lookahead()));
        return Optional.of(new Planned(standing.get(), plan));
      }
      quarantine(candidate.scheduleId(), candidate.problem(), now);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      quarantine(candidate.scheduleId(), String.valueOf(e.getMessage()), now);
    }
    return Optional.empty();
  }

  private int quarantineFirst(Instant now, StoreException problem) {
    return parts.inTransaction(
        () -> {
          List<Long> first = plans.lockDue(until(now), 1);
          first.forEach(id -> quarantine(id, String.valueOf(problem.getMessage()), now));
          return first.size();
        });
  }

  private void quarantine(long id, String problem, Instant now) {
    parts.notices().add(schedules.quarantine(id, problem, now).stream().toList());
  }

  private void tell(Planned one, Instant now) {
    parts
        .events()
        .accept(
            new Event.Planned(
                now, one.standing().key(), one.plan().runs().size(), one.plan().dropped()));
  }
}
