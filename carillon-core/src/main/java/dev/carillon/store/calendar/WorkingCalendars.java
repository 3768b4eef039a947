package dev.carillon.store.calendar;

import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.time.business.BusinessCalendar;
import java.util.Optional;

/** Finds the calendars whose working time runs count; most runs count none. */
public final class WorkingCalendars {
  private final RuleBooks books = new RuleBooks();

  /**
   * Return the calendar called {@code name}, as it is or, while the database is away, as it was.
   */
  public Optional<BusinessCalendar> find(Statements statements, String name) {
    try {
      return books.current(statements).calendar(name);
    } catch (StoreException e) {
      return books.latest().calendar(name);
    }
  }
}
