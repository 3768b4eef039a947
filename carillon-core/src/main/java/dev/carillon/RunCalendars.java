package dev.carillon;

import dev.carillon.policy.WorkingDuration;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.time.business.BusinessCalendar;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calendars that runs without a schedule name, read when the first of them does. */
final class RunCalendars {
  private final Supplier<RuleBook> books;
  private @Nullable RuleBook book;

  RunCalendars(Supplier<RuleBook> books) {
    this.books = books;
  }

  /** Return the calendar of {@code duration}, unless it is unknown or never has that much time. */
  BusinessCalendar of(WorkingDuration duration, Instant now) {
    RuleBook known = book;
    if (known == null) {
      known = books.get();
      book = known;
    }
    return known.working(duration, now);
  }
}
