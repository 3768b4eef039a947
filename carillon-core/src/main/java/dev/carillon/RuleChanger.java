package dev.carillon;

import dev.carillon.model.ReplanResult;
import dev.carillon.model.RuleUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.SlotShift;
import dev.carillon.plan.RuleComparison;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleEffect;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.Replans;
import dev.carillon.store.schedule.RuleUsers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Changes calendars and quiet hours, and has the schedules that follow them planned anew: some
 * hundred per transaction, by the call that changes them and by all nodes.
 */
final class RuleChanger {
  private static final int PAGE = 500;
  private static final int MAX_SLOTS = 300_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final Database database;
  private final InstantSource clock;
  private final Runnable wakeUp;
  private final boolean replans;

  RuleChanger(Database database, InstantSource clock, Runnable wakeUp) {
    this(database, clock, wakeUp, true);
  }

  private RuleChanger(Database database, InstantSource clock, Runnable wakeUp, boolean replans) {
    this.database = database;
    this.clock = clock;
    this.wakeUp = wakeUp;
    this.replans = replans;
  }

  /**
   * Return the same as part of {@code tx}. Replanning is up to the nodes, once that is committed:
   * it locks schedules, and changes of those wait for this one.
   */
  RuleChanger in(Transaction tx) {
    return new RuleChanger(database.within(tx), clock, () -> tx.afterCommit(wakeUp), false);
  }

  Database database() {
    return database;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** What a change returned, and the replanning that it asked for. */
  record Changed<T>(T result, List<Long> asked) {}

  /** Do {@code work} in a transaction. */
  <T> Changed<T> change(BiFunction<Transaction, RuleEffect, T> work) {
    return database.inTransaction(tx -> changed(tx, work));
  }

  /** Do {@code work} and undo it. */
  <T> T rehearse(BiFunction<Transaction, RuleEffect, T> work) {
    return database.rehearse(tx -> changed(tx, work)).result;
  }

  private static <T> Changed<T> changed(
      Transaction tx, BiFunction<Transaction, RuleEffect, T> work) {
    var asked = new ArrayList<Long>();
    T result =
        work.apply(
            tx,
            (before, after, uses, now) -> {
              uses.forEach(use -> asked.add(new Replans(tx).ask(use, now)));
              Announcement.PLAN.publish(tx);
              return shift(tx, uses, before, after, now);
            });
    return new Changed<>(result, asked);
  }

  /* Each schedule is counted once, also where there are too many to compare all. */
  private static SlotShift shift(
      Transaction tx, Collection<RuleUse> uses, RuleBook before, RuleBook after, Instant now) {
    SlotShift shift = SlotShift.NONE;
    var seen = new HashSet<Long>();
    var comparison = new RuleComparison(now, MAX_SLOTS);
    var users = new RuleUsers(tx);
    for (RuleUse use : uses) {
      long last = 0;
      for (boolean more = true; more && !comparison.isExhausted(); ) {
        List<Schedule> page = users.page(use, last, PAGE);
        for (Schedule schedule : page) {
          last = schedule.id();
          if (seen.add(schedule.id())) {
            shift =
                shift.plus(
                    comparison.of(
                        schedule.key(),
                        schedule.definition(),
                        before.ruleOrNone(schedule.definition()),
                        after.ruleOrNone(schedule.definition())));
          }
        }
        more = page.size() == PAGE;
      }
      if (comparison.isExhausted()) {
        seen.addAll(users.numbers(use, last));
      }
    }
    return comparison.isExhausted()
        ? shift.plus(new SlotShift(seen.size() - shift.schedules(), 0, 0, 0, false))
        : shift;
  }

  /** Replan what was asked for, beside the nodes that do, for a while. */
  ReplanResult replan(List<Long> asked) {
    if (asked.isEmpty()) {
      return ReplanResult.NOTHING;
    }
    if (!replans) {
      wakeUp.run();
      return ReplanResult.LATER;
    }
    long runs = 0;
    boolean done = true;
    long begun = System.nanoTime();
    for (long id : asked) {
      Replans.Progress progress;
      do {
        progress = database.inTransaction(tx -> new Replans(tx).one(id, now()));
      } while (!progress.done() && System.nanoTime() - begun < MAX_WAIT.toNanos());
      runs += progress.runs();
      done &= progress.done();
    }
    wakeUp.run();
    return new ReplanResult(runs, done);
  }
}
