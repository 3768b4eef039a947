package dev.carillon.simulation;

import dev.carillon.model.RunId;
import dev.carillon.policy.Pacing;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.time.Once;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** When all nodes are well and everything due is done, nothing is left behind. */
final class QuietLaws {
  /* Nodes' clocks differ by less, so ends further apart are in order. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

  private final Books books;
  private final Instant now;
  private final Violations violations;

  QuietLaws(Books books, Instant now, Violations violations) {
    this.books = books;
    this.now = now;
    this.violations = violations;
  }

  void check() {
    Map<RunId, Logged> live =
        books.runs().stream()
            .filter(Logged::live)
            .collect(Collectors.toMap(Logged::id, Function.identity(), (one, other) -> one));
    live.values().forEach(run -> notLeftBehind(run));
    books
        .lanes()
        .values()
        .forEach(
            holder ->
                violations.check(
                    live.containsKey(holder), "lane", "held by %s, which is over", holder.slot()));
    for (Kept schedule : books.schedules()) {
      List<Logged> runs = books.runsOf(schedule.id());
      goesOn(schedule, runs);
      neverQuarantined(schedule);
      if (schedule.current().timing() instanceof Once) {
        onceIsOver(schedule, runs);
      }
      if (schedule.current().pacing() == Pacing.FINISH) {
        keepsItsDistance(schedule, runs);
      }
      failures(schedule, runs);
    }
  }

  private void notLeftBehind(Logged run) {
    boolean claimedAhead = run.startedAt().filter(now::isBefore).isPresent();
    violations.check(
        !run.state().equals("running") || claimedAhead, "left behind", "%s still runs", run);
    if (run.state().equals("pending")) {
      boolean waits = run.wakeAt().isEmpty() && books.lanes().containsKey(run.id().schedule());
      violations.check(
          waits || run.wakeAt().filter(now::isBefore).isPresent(),
          "left behind",
          "%s should have started at %s",
          run,
          run.wakeAt());
    }
  }

  private void goesOn(Kept schedule, List<Logged> runs) {
    boolean waits = runs.stream().anyMatch(run -> run.live() && run.sequel().isPresent());
    violations.check(
        !schedule.status().equals("active")
            || schedule.nextSlot().isPresent()
            || schedule.pauseFrom().isPresent()
            || waits,
        "goes on",
        "%s is active, but nothing will ever plan it",
        schedule.key());
    violations.check(
        schedule.pausedUntil().filter(until -> !until.isAfter(now)).isEmpty(),
        "resumes",
        "%s was to resume at %s",
        schedule.key(),
        schedule.pausedUntil());
    violations.check(
        schedule.pauseFrom().filter(from -> !from.isAfter(now)).isEmpty(),
        "pauses",
        "%s was to pause at %s",
        schedule.key(),
        schedule.pauseFrom());
  }

  private void neverQuarantined(Kept schedule) {
    for (Change change : schedule.changes()) {
      violations.check(
          change.detail("reason").filter(why -> why.startsWith("cannot be planned")).isEmpty(),
          "quarantine",
          "%s: %s",
          schedule.key(),
          change.details());
    }
  }

  private void onceIsOver(Kept schedule, List<Logged> runs) {
    Instant at = ((Once) schedule.current().timing()).at();
    boolean over = runs.stream().noneMatch(Logged::live) && at.isBefore(now);
    violations.check(
        !over || !schedule.status().equals("active"), "once", "%s is still active", schedule.key());
  }

  private void keepsItsDistance(Kept schedule, List<Logged> runs) {
    List<Logged> beats =
        runs.stream()
            .filter(Logged::ofSlot)
            .sorted(Comparator.comparing(run -> run.id().slot()))
            .toList();
    Duration period = ((dev.carillon.time.Every) schedule.current().timing()).period();
    for (int i = 1; i < beats.size(); i++) {
      Logged before = beats.get(i - 1);
      Logged after = beats.get(i);
      boolean untouched =
          schedule.changes().size() == 1
              && before.version() == after.version()
              && before.finishedAt().isPresent();
      violations.check(
          !untouched || !after.id().slot().isBefore(before.finishedAt().orElseThrow().plus(period)),
          "after finish",
          "%s follows %s, which finished at %s",
          after,
          before,
          before.finishedAt());
    }
  }

  /* Only where the order of ends is sure: one run at a time, and nobody meddled. */
  private void failures(Kept schedule, List<Logged> runs) {
    boolean untouched =
        schedule.changes().stream()
            .allMatch(
                change ->
                    change.action().equals("schedule.created")
                        || change.action().equals("schedule.missed")
                        || change.action().equals("schedule.caught_up")
                        || change.action().equals("schedule.completed"));
    if (!untouched || !schedule.current().overlap().exclusive()) {
      return;
    }
    List<Logged> ends =
        runs.stream()
            .filter(run -> run.state().equals("succeeded") || run.state().equals("failed"))
            .sorted(Comparator.comparing(run -> run.finishedAt().orElseThrow()))
            .toList();
    int inARow = 0;
    Instant last = Instant.MIN;
    for (Logged end : ends) {
      Instant at = end.finishedAt().orElseThrow();
      if (!last.equals(Instant.MIN) && at.isBefore(last.plus(CLOCKS_APART))) {
        return;
      }
      inARow = end.state().equals("failed") ? inARow + 1 : 0;
      last = at;
    }
    violations.check(
        schedule.failures() == inARow,
        "failing",
        "%s has %s failures in a row, but %s are counted",
        schedule.key(),
        inARow,
        schedule.failures());
  }
}
