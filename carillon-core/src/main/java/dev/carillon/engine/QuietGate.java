package dev.carillon.engine;

import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.schedule.HeldBackRuns;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps runs that are late from starting in quiet time. While it is not quiet for any schedule, it
 * asks the database nothing: planning tells it when calendars and quiet hours have changed.
 */
final class QuietGate {
  private static final long UNKNOWN = -1;

  private final RuleBooks books = new RuleBooks();
  private volatile long revision = UNKNOWN;
  private volatile @Nullable RuleBook first;

  /** Take note of the revision of calendars and quiet hours that planning has read. */
  void known(long latest) {
    revision = latest;
  }

  /** Hold back runs of {@code targets} that would start by {@code until}, in quiet time. */
  void holdBack(Database database, Collection<String> targets, Instant until, Instant now) {
    RuleBook book = book(database);
    while (book.isQuiet(now) || book.isQuiet(until)) {
      long held = database.inTransaction(tx -> new HeldBackRuns(tx).holdBack(targets, until, now));
      if (held < HeldBackRuns.BATCH) { // more schedules than that have as many runs
        return;
      }
    }
  }

  private RuleBook book(Database database) {
    long known = revision;
    return known == UNKNOWN ? first(database) : books.at(database, known);
  }

  /* Claiming may come before planning has had a turn. */
  private RuleBook first(Database database) {
    RuleBook read = first;
    if (read == null) {
      read = RuleBooks.read(database);
      first = read;
    }
    return read;
  }
}
