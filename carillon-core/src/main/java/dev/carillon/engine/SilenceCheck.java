package dev.carillon.engine;

import dev.carillon.engine.Escalations.Escalation;
import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.Silence;
import dev.carillon.policy.Expectation;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ExpectationStore;
import dev.carillon.store.schedule.ExpectationStore.Expected;
import dev.carillon.store.schedule.ExpectationStore.Found;
import dev.carillon.store.schedule.ExpectationStore.Success;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks whether schedules that are expected to succeed do. One that does not is escalated once; it
 * stays silent until it succeeds, is changed or is paused.
 */
final class SilenceCheck implements Step {
  private static final int BATCH = 500;

  /* How soon the end of a silence, or of a pause, is noticed. */
  private static final Duration RECHECK = Duration.ofMinutes(1);

  private final EngineContext engine;
  private final ExpectationStore store;
  private final Escalations escalations;

  SilenceCheck(EngineContext engine, Escalations escalations) {
    this.engine = engine;
    this.store = engine.stores().expectations();
    this.escalations = escalations;
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = engine.settings().poll();
    Optional<Duration> wait = store.next().map(at -> Duration.between(now, at));
    if (wait.filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      int looked = engine.database().inTransaction(tx -> look(tx, now));
      return looked == BATCH ? Duration.ZERO : poll;
    }
    return wait.map(left -> Step.shorter(left, engine.settings().longRest()))
        .orElse(engine.settings().longRest());
  }

  private int look(Transaction tx, Instant now) {
    List<Expected> due = store.lockDue(tx, now, BATCH);
    if (due.isEmpty()) {
      return 0;
    }
    store.delete(tx, due.stream().filter(SilenceCheck::isGone).toList());
    List<Expected> rest = due.stream().filter(one -> !isGone(one)).toList();
    Map<Long, Success> successes = store.lastSuccesses(tx, rest);
    var found = new ArrayList<Found>();
    var silent = new ArrayList<NewlySilent>();
    for (Expected one : rest) {
      Optional<Success> last = Optional.ofNullable(successes.get(one.schedule())).or(one::last);
      Silence silence = silence(one, last);
      boolean paused = one.status() == ScheduleStatus.PAUSED;
      boolean over = !paused && silence.isOver(now);
      found.add(
          new Found(
              one.schedule(),
              paused || over ? now.plus(RECHECK) : silence.overdueAt(),
              last,
              over));
      if (over && !one.silent()) {
        silent.add(new NewlySilent(one, silence, last));
      } else if (!over && one.silent()) {
        tx.publish(new Event.SilenceEnded(now, one.key()));
      }
    }
    store.update(tx, found, now);
    escalate(tx, silent, now);
    return due.size();
  }

  private static boolean isGone(Expected one) {
    return one.status() == ScheduleStatus.RETIRED || one.expectation().isEmpty();
  }

  private static Silence silence(Expected one, Optional<Success> last) {
    return Silence.of(one.expectation().orElseThrow(), last.map(Success::at), one.changedAt());
  }

  private record NewlySilent(Expected expected, Silence silence, Optional<Success> last) {
    Optional<Escalation> escalation(Instant now) {
      Expectation expectation = expected.expectation().orElseThrow();
      String cause = "expect:" + expected.key();
      return expectation
          .escalateTo()
          .map(
              target ->
                  new Escalation(
                      target,
                      silence.story(
                          expected.key(),
                          expected.target(),
                          expectation,
                          last.map(Success::at),
                          now),
                      cause,
                      Optional.of(expected.schedule())));
    }
  }

  private void escalate(Transaction tx, List<NewlySilent> silent, Instant now) {
    Map<Boolean, List<NewlySilent>> told =
        silent.stream().collect(Collectors.partitioningBy(one -> one.escalation(now).isPresent()));
    List<NewlySilent> telling = told.getOrDefault(true, List.of());
    List<RunRef> runs =
        escalations.insert(
            tx, telling.stream().flatMap(one -> one.escalation(now).stream()).toList(), now);
    for (int i = 0; i < telling.size(); i++) {
      publish(tx, telling.get(i), Optional.of(runs.get(i)), now);
    }
    told.getOrDefault(false, List.of()).forEach(one -> publish(tx, one, Optional.empty(), now));
  }

  private static void publish(
      Transaction tx, NewlySilent one, Optional<RunRef> escalation, Instant now) {
    tx.publish(new Event.Silent(now, one.expected.key(), one.silence.since(), escalation));
  }
}
