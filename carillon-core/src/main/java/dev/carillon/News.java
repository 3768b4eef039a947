package dev.carillon;

import dev.carillon.event.Event;
import dev.carillon.model.Pause;
import dev.carillon.model.Saved;
import dev.carillon.model.Saved.Change;
import dev.carillon.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tells of changes that are durable: listeners what happened, planning that it has work. */
final class News {
  /* Planning looks for itself at least this often; only what comes sooner has to be told. */
  private static final Duration SOON = Duration.ofMinutes(2);

  private final Consumer<Event> listener;
  private final Runnable wakeUp;

  News(Consumer<Event> listener, Runnable wakeUp) {
    this.listener = listener;
    this.wakeUp = wakeUp;
  }

  /** Tell of {@code saved}, unless it changed nothing, and return it. */
  Saved tell(Saved saved) {
    action(saved.change())
        .ifPresent(
            action -> {
              Schedule schedule = saved.schedule();
              listener.accept(
                  new Event.Changed(
                      schedule.updated().at(),
                      schedule.key(),
                      action,
                      schedule.updated().by(),
                      schedule.pause().or(schedule::comingPause).map(Pause::reason)));
              if (isSoon(schedule)) {
                wakeUp.run();
              }
            });
    return saved;
  }

  private static boolean isSoon(Schedule schedule) {
    Instant soon = schedule.updated().at().plus(SOON);
    return Stream.of(schedule.nextSlot(), schedule.comingPause().flatMap(Pause::from))
        .flatMap(Optional::stream)
        .anyMatch(at -> at.isBefore(soon));
  }

  /** Tell of {@code changes}, if there are any. */
  void tell(Collection<Event.Changed> changes) {
    changes.forEach(listener);
    if (!changes.isEmpty()) {
      wakeUp.run();
    }
  }

  /** Wake planning. */
  void wakeUp() {
    wakeUp.run();
  }

  private static Optional<String> action(Change change) {
    return switch (change) {
      case CREATED -> Optional.of("schedule.created");
      case NEW_VERSION -> Optional.of("schedule.changed");
      case PAUSED -> Optional.of("schedule.paused");
      case PAUSE_PLANNED -> Optional.of("schedule.pause_planned");
      case RESUMED -> Optional.of("schedule.resumed");
      case RETIRED -> Optional.of("schedule.retired");
      case COMPLETED -> Optional.of("schedule.completed");
      case UNCHANGED, TAKEN, STALE -> Optional.empty();
    };
  }
}
