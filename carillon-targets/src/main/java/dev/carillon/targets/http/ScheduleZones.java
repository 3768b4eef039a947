package dev.carillon.targets.http;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/** Finds the time zone in which the templates of a target count dates. */
@FunctionalInterface
public interface ScheduleZones {
  /** All schedules in UTC. */
  ScheduleZones UTC = (schedule, version) -> ZoneOffset.UTC;

  /** Return the zone of a version of a schedule; it may block. */
  ZoneId of(Optional<String> schedule, int version);
}
