package dev.carillon.store.run;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.time.business.BusinessCalendar;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * By when a run must be finished.
 *
 * @param version of the schedule that says so; zero for a run without a schedule
 * @param escalateTo the target that runs if it is not
 */
public record RunDeadline(RunId run, int version, Instant at, String escalateTo) {

  /**
   * Return the deadline of a run that {@code version} of a schedule makes, if it has one.
   *
   * @param meant the time for which it is planned
   * @param calendars find the calendar whose working time it counts
   */
  public static Optional<RunDeadline> of(
      RunId run,
      int version,
      Definition definition,
      Instant meant,
      Instant dueAt,
      Function<String, Optional<BusinessCalendar>> calendars) {
    return definition
        .deadline()
        .map(
            deadline ->
                new RunDeadline(
                    run,
                    version,
                    deadline.of(
                        meant, dueAt, definition.zone(), deadline.calendar().flatMap(calendars)),
                    deadline.escalateTo()));
  }
}
