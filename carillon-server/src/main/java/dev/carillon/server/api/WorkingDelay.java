package dev.carillon.server.api;

import dev.carillon.RunDraft;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.ZoneId;
import java.util.Optional;

/** How a delay of a run is counted: as time passes, or in the working time of a calendar. */
public final class WorkingDelay {
  private WorkingDelay() {}

  /** Return {@code draft}, to start after {@code delay}. */
  public static RunDraft of(
      RunDraft draft, PeriodDuration delay, ZoneId zone, Optional<String> calendar) {
    if (calendar.isEmpty()) {
      return draft.in(delay, zone);
    }
    if (!delay.isFixed()) {
      throw new InvalidValueException(
          "working time has no months or years; count hours, such as PT8H, or leave the calendar out");
    }
    return draft.in(delay.fixed(), calendar.get());
  }
}
