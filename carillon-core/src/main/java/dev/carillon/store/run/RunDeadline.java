package dev.carillon.store.run;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * By when a run must be finished.
 *
 * @param version of the schedule that says so; zero for a run without a schedule
 * @param escalateTo the target that runs if it is not
 */
public record RunDeadline(RunId run, int version, Instant at, String escalateTo) {

  /** Return the deadline of a run that {@code version} of a schedule makes, if it has one. */
  public static Optional<RunDeadline> of(
      RunId run, int version, Definition definition, Instant dueAt) {
    ZoneId zone = Zones.of(definition.timing()).orElse(ZoneOffset.UTC);
    return definition
        .deadline()
        .map(
            deadline ->
                new RunDeadline(
                    run, version, deadline.of(run.slot(), dueAt, zone), deadline.escalateTo()));
  }
}
