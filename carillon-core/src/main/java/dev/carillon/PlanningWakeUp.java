package dev.carillon;

import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Wakes planning after changes that are durable and give it work. */
final class PlanningWakeUp {
  /* Planning looks for itself at least this often; only what comes sooner has to be told. */
  private static final Duration WAKE_WITHIN = Duration.ofMinutes(2);

  private static final Set<Change> UNCHANGED =
      EnumSet.of(Change.UNCHANGED, Change.TAKEN, Change.STALE);

  private final Runnable wakeUp;

  PlanningWakeUp(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /**
   * Wake planning if {@code changeResult} has work for it soon, and return {@code changeResult}.
   */
  ChangeResult tell(ChangeResult changeResult) {
    if (!UNCHANGED.contains(changeResult.change()) && isSoon(changeResult.schedule())) {
      wakeUp.run();
    }
    return changeResult;
  }

  private static boolean isSoon(Schedule schedule) {
    Instant soon = schedule.updated().at().plus(WAKE_WITHIN);
    return Stream.of(schedule.nextSlot(), schedule.comingPause().flatMap(Pause::from))
        .flatMap(Optional::stream)
        .anyMatch(at -> at.isBefore(soon));
  }

  /** Wake planning. */
  void wakeUp() {
    wakeUp.run();
  }
}
