package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.plan.Plan;
import dev.carillon.plan.Planner;
import dev.carillon.plan.Standing;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.PlanStore;
import dev.carillon.store.plan.PlanStore.Agenda;
import dev.carillon.store.plan.PlanStore.Candidate;
import dev.carillon.store.plan.PlanStore.CursorRow;
import dev.carillon.store.plan.PlanStore.Planned;
import dev.carillon.store.schedule.Replans;
import dev.carillon.store.schedule.ScheduleChanges;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns due schedules into runs: read what is due, decide, write the decisions down. */
final class PlanningStep implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(PlanningStep.class);

  private static final Duration MIN_REACH = Duration.ofSeconds(2);

  private final PlanningBatch planningBatch = new PlanningBatch();
  private final EngineContext engine;
  private final EngineSettings settings;
  private final Database database;
  private final PlanStore plans;
  private final QuietGate quietGate;

  /* The schedules of the last try, of which one is to blame if it is refused. */
  private Set<Long> tried = Set.of();

  PlanningStep(EngineContext engine, QuietGate quietGate) {
    this.engine = engine;
    this.quietGate = quietGate;
    this.settings = engine.settings();
    this.database = engine.database();
    this.plans = engine.stores().plans();
  }

  @Override
  public Duration run(Instant now) {
    if (!engine.membership().holds()) {
      return settings.poll();
    }
    Agenda agenda = agenda(now);
    quietGate.known(agenda.revision());
    boolean begun =
        hasCome(agenda.pauseAt(), now)
            && database.inTransaction(tx -> new ScheduleChanges(tx).pauseDue(now)) > 0;
    if (agenda.replans()) {
      database.inTransaction(
          tx -> {
            new Replans(tx).any(now);
            return true;
          });
    }
    boolean resumed = begun || agenda.replans() || hasCome(agenda.resumeAt(), now);
    if (resumed) {
      database.inTransaction(
          tx -> {
            new ScheduleChanges(tx).resumeDue(now);
            return true;
          });
    }
    if (!resumed && !agenda.due()) { // mostly so, and that should cost little
      return rest(agenda, now, settings.poll());
    }
    planningBatch.begin(agenda.planBy().map(by -> Duration.between(now, by)).orElse(Duration.ZERO));
    if (plan(now, planningBatch.schedules())) {
      return planningBatch.pause(Duration.between(now, engine.now()));
    }
    return rest(agenda(now), now, Duration.ZERO);
  }

  private static boolean hasCome(Optional<Instant> at, Instant now) {
    return at.filter(when -> !when.isAfter(now)).isPresent();
  }

  private Agenda agenda(Instant now) {
    return plans.agenda(until(now), now.plus(settings.lookahead()));
  }

  private List<CursorRow> lockDue(Transaction tx, Instant now, int size) {
    return plans.lockDue(tx, until(now), now.plus(settings.lookahead()), size);
  }

  private Instant until(Instant now) {
    return now.plus(settings.planningAhead());
  }

  /* A pause that should have begun waits for the slots before it: as long as `behind`. */
  private Duration rest(Agenda agenda, Instant now, Duration behind) {
    return Stream.of(
            agenda.planBy().map(by -> Duration.between(until(now), by)),
            agenda.resumeAt().map(at -> Duration.between(now, at)),
            agenda.replans() ? Optional.of(settings.poll()) : Optional.<Duration>empty(),
            agenda.pauseAt().map(at -> at.isAfter(now) ? Duration.between(now, at) : behind))
        .flatMap(Optional::stream)
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
        .reduce(settings.longRest(), Step::shorter);
  }

  /**
   * Plan up to {@code size} schedules, the most urgent first; return whether others may be waiting.
   * A batch that PostgreSQL refuses for what is in it is halved until the schedule to blame is
   * alone.
   */
  private boolean plan(Instant now, int size) {
    tried = Set.of();
    try {
      Turn turn = database.inTransaction(tx -> write(tx, now, size));
      turn.planned.forEach(one -> publish(one, now));
      if (turn.planned.stream().anyMatch(one -> isSoon(one.plan(), now))) {
        engine.wakeups().wake(EngineLoop.CLAIMING);
      }
      return turn.crowded;
    } catch (StoreException e) {
      if (e.isTransient() || e.isRegardlessOfData()) {
        throw e;
      }
      return size > 1 ? plan(now, size / 2) : quarantineFirst(now, e);
    }
  }

  /* Claiming looks for itself whenever it has rested; it is woken only for what comes sooner. */
  private boolean isSoon(Plan plan, Instant now) {
    Instant soon = now.plus(settings.poll().multipliedBy(2));
    return plan.runs().stream().anyMatch(run -> run.dueAt().isBefore(soon));
  }

  /* When a turn is, and how many runs of schedules that queue what was missed are unstarted. */
  private record Pass(Instant now, Map<Long, Integer> unstarted) {}

  private record Turn(List<Planned> planned, boolean crowded) {}

  private Turn write(Transaction tx, Instant now, int size) {
    List<CursorRow> locked = lockDue(tx, now, size);
    tried = locked.stream().map(CursorRow::scheduleId).collect(Collectors.toSet());
    if (locked.isEmpty()) {
      return new Turn(List.of(), false);
    }
    List<Candidate> candidates = plans.candidates(tx, locked);
    List<Long> queues =
        candidates.stream()
            .filter(one -> one.queuesMissed(now))
            .map(Candidate::scheduleId)
            .toList();
    var pass = new Pass(now, plans.unstarted(tx, queues));
    Turn turn = decide(tx, candidates, pass, locked.size() == size);
    plans.write(tx, turn.planned, now, until(now.plus(settings.poll())));
    List<Long> complete =
        turn.planned.stream()
            .filter(one -> one.plan().complete())
            .map(one -> one.standing().scheduleId())
            .toList();
    if (!complete.isEmpty()) {
      new ScheduleChanges(tx).complete(complete, now);
    }
    return turn;
  }

  /* If there are too many runs for one turn, some schedules wait: that is a crowd, too. */
  private Turn decide(Transaction tx, List<Candidate> candidates, Pass pass, boolean crowded) {
    var planned = new ArrayList<Planned>();
    int runs = 0;
    for (Candidate candidate : candidates) {
      if (runs >= planningBatch.runs()) {
        if (!crowded) {
          return decide(tx, candidates, pass, true);
        }
        break;
      }
      Optional<Planned> one = decide(tx, candidate, pass, crowded);
      one.ifPresent(planned::add);
      runs += one.map(plan -> plan.plan().runs().size()).orElse(0);
    }
    planningBatch.written(planned.size(), runs);
    return new Turn(planned, crowded);
  }

  private Optional<Planned> decide(
      Transaction tx, Candidate candidate, Pass pass, boolean crowded) {
    Instant now = pass.now;
    try {
      Optional<Standing> standing = candidate.standing();
      if (standing.isPresent()) {
        Instant horizon = now.plus(reach(candidate, crowded, now));
        Plan plan = Planner.plan(standing.get(), now, horizon, most(standing.get(), pass));
        return Optional.of(new Planned(standing.get(), plan));
      }
      new ScheduleChanges(tx).quarantine(candidate.scheduleId(), candidate.problem(), now);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      ThrowableText.log(LOG, "schedule " + candidate.scheduleId() + " cannot be planned", e);
      quarantine(tx, candidate.scheduleId(), e, now);
    }
    return Optional.empty();
  }

  /* A queue gets no more than it holds: what was missed can wait, what comes later would be skipped. */
  private int most(Standing standing, Pass pass) {
    int perTick = settings.catchUpPerTick();
    Integer unstarted = pass.unstarted.get(standing.scheduleId());
    return unstarted == null
        ? perTick
        : Math.max(0, Math.min(perTick, standing.definition().overlap().queueLimit() - unstarted));
  }

  /* While others wait, a schedule is planned only twice as far ahead as it is urgent, so that the
   * next slots of all are planned before the later ones of any. Catch-up that spreads runs out needs
   * all of the time there is. */
  private Duration reach(Candidate candidate, boolean crowded, Instant now) {
    Duration most = settings.lookahead();
    if (!crowded || candidate.spreads()) {
      return most;
    }
    Duration twice = Duration.between(now, candidate.planBy()).multipliedBy(2);
    Duration reach = twice.compareTo(MIN_REACH) < 0 ? MIN_REACH : twice;
    return Step.shorter(reach, most);
  }

  /* Another node may have the schedule to blame by now; the first that is free is then another. */
  private boolean quarantineFirst(Instant now, StoreException problem) {
    Set<Long> blamed = tried;
    return database.inTransaction(
        tx -> {
          List<CursorRow> first = lockDue(tx, now, 1);
          first.stream()
              .map(CursorRow::scheduleId)
              .filter(blamed::contains)
              .forEach(id -> quarantine(tx, id, problem, now));
          return !first.isEmpty();
        });
  }

  private void quarantine(Transaction tx, long id, Exception problem, Instant now) {
    new ScheduleChanges(tx).quarantine(id, String.valueOf(problem.getMessage()), now);
  }

  private void publish(Planned one, Instant now) {
    engine.publish(
        new Event.Planned(
            now, one.standing().key(), one.plan().runs().size(), one.plan().dropped()));
  }
}
