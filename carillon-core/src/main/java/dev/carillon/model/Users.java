package dev.carillon.model;

import java.util.List;

/**
 * Who uses a calendar or quiet hours.
 *
 * @param schedules how many schedules do
 * @param firstSchedules the keys of the first of them, in order
 * @param calendars the calendars that combine it, in order
 */
public record Users(long schedules, List<String> firstSchedules, List<String> calendars) {
  public Users {
    firstSchedules = List.copyOf(firstSchedules);
    calendars = List.copyOf(calendars);
  }

  /** Tell whether there are none. */
  public boolean isEmpty() {
    return schedules == 0 && calendars.isEmpty();
  }
}
