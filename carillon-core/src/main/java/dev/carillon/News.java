package dev.carillon;

import dev.carillon.model.Pause;
import dev.carillon.model.Saved;
import dev.carillon.model.Saved.Change;
import dev.carillon.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Wakes planning after changes that are durable and give it work. */
final class News {
  /* Planning looks for itself at least this often; only what comes sooner has to be told. */
  private static final Duration SOON = Duration.ofMinutes(2);

  private static final Set<Change> UNCHANGED =
      EnumSet.of(Change.UNCHANGED, Change.TAKEN, Change.STALE);

  private final Runnable wakeUp;

  News(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Wake planning if {@code saved} has work for it soon, and return {@code saved}. */
  Saved tell(Saved saved) {
    if (!UNCHANGED.contains(saved.change()) && isSoon(saved.schedule())) {
      wakeUp.run();
    }
    return saved;
  }

  private static boolean isSoon(Schedule schedule) {
    Instant soon = schedule.updated().at().plus(SOON);
    return Stream.of(schedule.nextSlot(), schedule.comingPause().flatMap(Pause::from))
        .flatMap(Optional::stream)
        .anyMatch(at -> at.isBefore(soon));
  }

  /** Wake planning. */
  void wakeUp() {
    wakeUp.run();
  }
}
