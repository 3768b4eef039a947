package dev.carillon;

import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Wakes planning after changes that are durable and give it work. */
final class PlanningWakeUp {
  /* Planning polls at least this often; only what comes sooner needs a wake-up. */
  private static final Duration WAKE_WITHIN = Duration.ofMinutes(2);

  private static final Set<Change> UNCHANGED =
      EnumSet.of(Change.UNCHANGED, Change.TAKEN, Change.STALE);

  private final Runnable wakeUp;

  PlanningWakeUp(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Return what wakes planning once {@code tx} is committed. */
  PlanningWakeUp in(Transaction tx) {
    return new PlanningWakeUp(() -> tx.afterCommit(wakeUp));
  }

  /** Wake planning if the changed schedule has work for it soon. */
  ChangeResult after(ChangeResult result) {
    if (!UNCHANGED.contains(result.change()) && isSoon(result.schedule())) {
      wakeUp.run();
    }
    return result;
  }

  private static boolean isSoon(Schedule schedule) {
    Instant soon = schedule.updated().at().plus(WAKE_WITHIN);
    return Stream.of(schedule.nextSlot(), schedule.plannedPause().flatMap(Pause::from))
        .flatMap(Optional::stream)
        .anyMatch(at -> at.isBefore(soon));
  }

  void wakeUp() {
    wakeUp.run();
  }
}
