package dev.carillon.store.calendar;

import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import java.util.Optional;

/** What follows from a change of a calendar or of quiet hours, in the transaction that makes it. */
public final class CalendarChange {
  private CalendarChange() {}

  /** Have the schedules planned anew that use the calendar called {@code name}, as it now is. */
  public static void applied(Transaction tx, String name) {
    Announcement.PLAN.publish(tx);
  }

  /**
   * Have the schedules planned anew that these quiet hours are or were for.
   *
   * @param before what they were; empty if they are new
   * @param after what they are; empty if they are deleted
   */
  public static void applied(
      Transaction tx, Optional<QuietHoursDefinition> before, Optional<QuietHoursDefinition> after) {
    Announcement.PLAN.publish(tx);
  }
}
