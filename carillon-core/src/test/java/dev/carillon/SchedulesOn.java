package dev.carillon;

import dev.carillon.event.Event;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.AftermathStore;
import dev.carillon.store.Database;
import dev.carillon.store.RunStore;
import dev.carillon.store.ScheduleStore;
import dev.carillon.time.AllowedZones;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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
    var runs = new RunStore(database, new AftermathStore(database, ends(database, news)));
    return new Schedules(
        database,
        clock,
        new Rules(new KnownTargets(() -> targets), AllowedZones.ALL),
        PolicyDefaults.USUAL,
        news,
        wakeUp,
        runs);
  }

  private static AftermathStore.ScheduleEnds ends(Database database, Consumer<Event> news) {
    var store = new ScheduleStore(database);
    return new AftermathStore.ScheduleEnds() {
      @Override
      public void complete(List<Long> schedules, Instant now) {
        store.complete(schedules, now);
      }

      @Override
      public void brake(long schedule, int failures, String last, Instant now) {
        store.brake(schedule, failures, last, now);
      }

      @Override
      public void over(List<Event.Finished> runs) {
        runs.forEach(news);
      }
    };
  }
}
