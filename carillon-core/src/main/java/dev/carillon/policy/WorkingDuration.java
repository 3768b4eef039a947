package dev.carillon.policy;

import java.time.Duration;

/**
 * A duration that is counted in the working time of a calendar.
 *
 * @param field what of a definition or of a run names the calendar, such as deadline/calendar
 * @param calendar the name of the calendar
 * @param length how much working time
 */
public record WorkingDuration(String field, String calendar, Duration length) {}
