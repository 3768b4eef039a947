package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.policy.CatchUp;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Runs that were planned for a time without a node are left out only as catch-up says. */
final class CatchUpLaws {
  private static final Set<String> STOPS =
      Set.of("schedule.changed", "schedule.paused", "schedule.retired", "schedule.completed");

  private final Books books;
  private final Violations violations;

  CatchUpLaws(Books books, Violations violations) {
    this.books = books;
    this.violations = violations;
  }

  void check() {
    for (Kept schedule : books.schedules()) {
      List<Logged> runs = books.runsOf(schedule.id());
      runs.stream().filter(Logged::leftOut).forEach(run -> check(schedule, run, runs));
    }
  }

  /* Which definition was in force when it was left out is not recorded: what all of them say holds. */
  private void check(Kept schedule, Logged run, List<Logged> runs) {
    Collection<Definition> later = schedule.versions().tailMap(run.version()).values();
    violations.check(
        !later.stream().map(Definition::catchUp).allMatch(CatchUpLaws::runsEverything),
        "caught up",
        "%s left out %s, though catch-up runs all",
        schedule.key(),
        run);
    violations.check(
        !later.stream().map(Definition::catchUp).allMatch(CatchUpLaws::runsTheNewest)
            || runs.stream().anyMatch(other -> ranInstead(other, run))
            || stoppedAfter(schedule, run),
        "caught up",
        "%s left out %s, and nothing ran once for it",
        schedule.key(),
        run);
  }

  private static boolean runsEverything(CatchUp catchUp) {
    boolean all = catchUp.mode() == CatchUp.Mode.ALL || catchUp.mode() == CatchUp.Mode.SPREAD;
    return all && catchUp.limit() == CatchUp.MAX_LIMIT && catchUp.maxAge().isEmpty();
  }

  private static boolean runsTheNewest(CatchUp catchUp) {
    return catchUp.mode() == CatchUp.Mode.ONCE && catchUp.maxAge().isEmpty();
  }

  private static boolean ranInstead(Logged other, Logged run) {
    return other.ofSlot() && !other.leftOut() && other.id().slot().isAfter(run.id().slot());
  }

  /* After it was due, not after it was left out: the clock of who stops it may be behind. */
  private static boolean stoppedAfter(Kept schedule, Logged run) {
    return schedule.changes().stream()
        .anyMatch(change -> STOPS.contains(change.action()) && !change.at().isBefore(run.dueAt()));
  }
}
