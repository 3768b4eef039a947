package dev.carillon.simulation;

import dev.carillon.policy.Deadline;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A run that is not finished by its deadline is escalated, and none is escalated twice. */
final class DeadlineLaws {
  private final Books books;
  private final Instant now;
  private final Violations violations;

  DeadlineLaws(Books books, Instant now, Violations violations) {
    this.books = books;
    this.now = now;
    this.violations = violations;
  }

  void check() {
    Map<String, Long> escalations =
        books.runs().stream()
            .flatMap(run -> run.escalates().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    escalations.forEach(
        (run, times) ->
            violations.check(
                times == 1 || wasTakenBackByASlowClock(run),
                "escalated once",
                "run %s %s times",
                run,
                times));
    for (Kept schedule : books.schedules()) {
      for (Logged run : books.runsOf(schedule.id())) {
        deadline(schedule, run)
            .filter(at -> isLate(run, at))
            .ifPresent(
                at ->
                    violations.check(
                        escalations.containsKey(run.id().toString()),
                        "escalated if late",
                        "%s was to be finished by %s",
                        run,
                        at));
      }
    }
  }

  /* To somebody whose clock is behind, a run that is due and late may be to come. */
  private boolean wasTakenBackByASlowClock(String run) {
    return books.schedules().stream()
        .map(Kept::changes)
        .anyMatch(
            changes -> {
              List<Change> since =
                  changes.stream().dropWhile(change -> !tellsOf(change, run)).toList();
              return since.stream().anyMatch(later -> later.at().isBefore(since.get(0).at()));
            });
  }

  private static boolean tellsOf(Change change, String run) {
    return change.action().equals("run.escalated")
        && change.detail("cause").filter(run::equals).isPresent();
  }

  /* Of runs that nobody asked for, now or again: the due time of those is another. */
  private static Optional<Instant> deadline(Kept schedule, Logged run) {
    return run.ofSlot() && !run.asked()
        ? schedule
            .version(run.version())
            .deadline()
            .flatMap(Deadline::after)
            .map((Duration after) -> run.dueAt().plus(after))
        : Optional.empty();
  }

  private boolean isLate(Logged run, Instant deadline) {
    return switch (run.state()) {
      case "canceled", "skipped" -> false;
      default -> run.finishedAt().orElse(now).isAfter(deadline);
    };
  }
}
