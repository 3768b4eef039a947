package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.DueRule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rules of the schedules that a transaction changes, read when one of them has any. */
final class ScheduleRules {
  private final Transaction tx;
  private @Nullable RuleBook book;

  ScheduleRules(Transaction tx) {
    this.tx = tx;
  }

  /**
   * Return the rule by which slots of {@code definition} may be due before their time: that of its
   * calendar and its own quiet hours. Others only put runs off, which is up to planning.
   */
  DueRule of(Definition definition) {
    try {
      return definition.isRuled() ? book().ruleOf(definition) : DueRule.NONE;
    } catch (IllegalStateException e) {
      return DueRule.NONE; // planning pauses it and says why
    }
  }

  /** Return up to when the slots of a schedule have come by {@code now}. */
  Instant come(LockedSchedule locked, Instant now) {
    Definition definition = locked.definition();
    return SlotsToCome.after(definition.timing(), of(definition), now);
  }

  /** Refuse a definition that names a calendar or quiet hours which do not exist. */
  void check(String key, Definition definition, Instant now) {
    if (definition.namesCalendars()) {
      book().check(key, definition, now);
    }
  }

  private RuleBook book() {
    RuleBook known = book;
    if (known == null) {
      known = RuleBooks.readLocked(tx);
      book = known;
    }
    return known;
  }
}
