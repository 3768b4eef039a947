package dev.carillon;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.RuleChange;
import dev.carillon.model.RuleUsage;
import dev.carillon.model.RuleUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.SlotShift;
import dev.carillon.plan.RuleComparison;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.Replans;
import dev.carillon.store.schedule.RuleUsers;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;

/** What changes of calendars and of quiet hours have in common. */
final class RuleChanger {
  private static final int SHOWN = 10;
  private static final int PAGE = 500;

  private final Database database;
  private final InstantSource clock;
  private final Runnable wakeUp;

  RuleChanger(Database database, InstantSource clock, Runnable wakeUp) {
    this.database = database;
    this.clock = clock;
    this.wakeUp = wakeUp;
  }

  Database database() {
    return database;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  ChangedBy stamp(String actor) {
    return new ChangedBy(now(), actor);
  }

  /** Return how many slots change for the schedules of {@code uses}, each counted once. */
  static SlotShift shift(
      Statements statements,
      Collection<RuleUse> uses,
      RuleBook before,
      RuleBook after,
      Instant now) {
    SlotShift shift = SlotShift.NONE;
    var seen = new HashSet<Long>();
    for (RuleUse use : uses) {
      long last = 0;
      List<Schedule> page;
      do {
        page = new RuleUsers(statements).page(use, last, PAGE);
        for (Schedule schedule : page) {
          last = schedule.id();
          if (seen.add(schedule.id())) {
            shift =
                shift.plus(
                    RuleComparison.of(
                        schedule.key(),
                        schedule.definition(),
                        before.ruleOrNone(schedule.definition()),
                        after.ruleOrNone(schedule.definition()),
                        now));
          }
        }
      } while (page.size() == PAGE);
    }
    return shift;
  }

  /** Ask in {@code tx} for the schedules of {@code uses} to be replanned. */
  static List<Long> ask(Transaction tx, Collection<RuleUse> uses, Instant now) {
    return uses.stream().map(use -> new Replans(tx).ask(use, now)).toList();
  }

  /** Replan what was asked for, beside the nodes that do, and return {@code change} with that. */
  RuleChange replanned(RuleChange change, List<Long> asked) {
    long runs = 0;
    for (long id : asked) {
      Replans.Progress progress;
      do {
        progress = database.inTransaction(tx -> new Replans(tx).one(id, now()));
      } while (!progress.done());
      runs += progress.runs();
    }
    wakeUp.run();
    return new RuleChange(change.name(), change.version(), change.changed(), change.shift(), runs);
  }

  static RuleUsage usage(Statements statements, RuleUse use) {
    var users = new RuleUsers(statements);
    return new RuleUsage(users.count(use), users.keys(use, SHOWN));
  }
}
