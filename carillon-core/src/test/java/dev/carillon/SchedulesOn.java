package dev.carillon;

import dev.carillon.event.Event;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.run.RunStore;
import dev.carillon.time.AllowedZones;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/** Opens schedules without an engine, so that tests decide what is planned. */
final class SchedulesOn {
  private SchedulesOn() {}

  static Schedules database(
      Database database,
      InstantSource clock,
      Set<String> targets,
      Consumer<Event> news,
      Runnable wakeUp) {
    return new Schedules(
        database.publishingTo(news),
        clock,
        new ScheduleSettings(
            new AllowedReferences(new KnownTargets(() -> targets), AllowedZones.ALL),
            PolicyDefaults.BUILT_IN,
            Duration.ofMinutes(1),
            Duration.ofDays(180)),
        wakeUp,
        new RunStore(database));
  }
}
