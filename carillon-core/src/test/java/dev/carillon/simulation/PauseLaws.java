package dev.carillon.simulation;

import dev.carillon.model.RunId;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** No slot runs that lies in a pause which was asked for before it began. */
final class PauseLaws {
  /* A run that a node has claimed ahead when the pause is asked for is not taken back. */
  private static final Duration LEAD = Duration.ofSeconds(10);

  private final Books books;
  private final Set<RunId> promised;
  private final Instant now;
  private final Violations violations;

  PauseLaws(Books books, Set<RunId> promised, Instant now, Violations violations) {
    this.books = books;
    this.promised = promised;
    this.now = now;
    this.violations = violations;
  }

  void check() {
    for (Kept schedule : books.schedules()) {
      Instant asked = Instant.MIN;
      Optional<Instant> from = Optional.empty();
      Instant until = Instant.MAX;
      for (Change change : schedule.changes()) {
        switch (change.action()) {
          case "schedule.pause_planned" -> asked = change.at();
          case "schedule.paused" -> {
            from = from.or(() -> change.detail("from").map(Instant::parse));
            until = change.detail("until").map(Instant::parse).orElse(Instant.MAX);
          }
          case "schedule.resumed", "schedule.completed", "schedule.retired" -> {
            check(schedule, from, earlier(until, change.at()), asked);
            from = Optional.empty();
          }
          default -> {}
        }
      }
      check(schedule, from, earlier(until, now), asked);
    }
  }

  private void check(Kept schedule, Optional<Instant> from, Instant through, Instant asked) {
    if (from.isEmpty()) {
      return;
    }
    for (Logged run : books.runsOf(schedule.id())) {
      Instant slot = run.id().slot();
      violations.check(
          !run.ofSlot()
              || promised.contains(run.id()) // somebody asked for it
              || (!run.live() && run.attempt() == 0) // somebody canceled it before
              || slot.isBefore(from.get())
              || slot.isAfter(through)
              || slot.isBefore(asked.plus(LEAD)),
          "paused",
          "%s was to pause at %s, but there is %s",
          schedule.key(),
          from.get(),
          run);
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
