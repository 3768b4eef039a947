package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.policy.Pacing;
import dev.carillon.simulation.Books.Decided;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A slot becomes exactly one run, or is part of a recorded decision. */
final class SlotLaws {
  private static final int MAX_NAMED = 5;
  private static final Set<String> AHEAD_OF_TIME =
      Set.of("outside_window", "paused", "calendar", "quiet_hours", "merged");

  private final Books books;
  private final Instant now;
  private final Violations violations;

  SlotLaws(Books books, Instant now, Violations violations) {
    this.books = books;
    this.now = now;
    this.violations = violations;
  }

  void check() {
    unique();
    for (Kept schedule : books.schedules()) {
      List<Logged> runs = books.runsOf(schedule.id());
      List<Decided> decisions = books.decisionsOf(schedule.id());
      decisionsAreExact(schedule, runs, decisions);
      if (schedule.current().pacing() == Pacing.SLOT) {
        planningIsDone(schedule);
      }
      Timeline timeline = Timeline.of(schedule, runs, earlier(now, schedule.plannedThrough()));
      complete(schedule, timeline, runs, decisions);
      onlyNamedSlots(schedule, timeline, runs);
      mostRuns(schedule, timeline, runs);
    }
  }

  private void unique() {
    var seen = new HashSet<RunId>();
    for (Logged run : books.runs()) {
      violations.check(seen.add(run.id()), "unique", "%s is there twice", run);
    }
  }

  private void decisionsAreExact(Kept schedule, List<Logged> runs, List<Decided> decisions) {
    var decided = new HashSet<Instant>();
    for (Decided one : decisions) {
      Definition definition = schedule.version(one.version());
      boolean slotted = definition.pacing() == Pacing.SLOT;
      List<Instant> slots = slotted ? named(one, definition) : List.of(one.first());
      if (slotted) {
        exact(schedule, one, slots, runs);
      }
      /* Slots before a window are decided ahead of time, and again by a definition that comes in
       * between. */
      if (!isOutside(one)) {
        /* Those of another version may lie between them. */
        violations.check(
            slots.stream().filter(decided::add).count() == slots.size(),
            "decision once",
            "%s decided twice: %s",
            schedule.key(),
            one);
      }
    }
  }

  private static boolean isOutside(Decided one) {
    return one.reason().equals("outside_window");
  }

  private static List<Instant> named(Decided one, Definition definition) {
    return new Stretch(one.version(), definition, one.first().minusNanos(1_000), one.last())
        .slots(isOutside(one) ? Window.ALWAYS : definition.window());
  }

  private void exact(Kept schedule, Decided one, List<Instant> named, List<Logged> runs) {
    violations.check(
        named.size() == one.slots() && named.contains(one.first()) && named.contains(one.last()),
        "decision exact",
        "%s says %s, but there are %s slots",
        schedule.key(),
        one,
        named.size());
    boolean rolls = schedule.version(one.version()).calendar().isPresent(); // to an earlier day
    violations.check(
        rolls || !one.last().isAfter(one.decidedAt()) || AHEAD_OF_TIME.contains(one.reason()),
        "decision in time",
        "%s gave up slots to come: %s",
        schedule.key(),
        one);
    runs.stream()
        .filter(run -> run.ofSlot() && run.version() == one.version())
        .filter(run -> named.contains(run.id().slot()))
        .forEach(
            run ->
                violations.check(
                    false, "run or decision", "%s has %s inside %s", schedule.key(), run, one));
  }

  private void planningIsDone(Kept schedule) {
    violations.check(
        !schedule.status().equals("active") || schedule.planBy().filter(this::passed).isEmpty(),
        "planned",
        "%s should be planned by %s",
        schedule.key(),
        schedule.planBy());
  }

  private boolean passed(Instant at) {
    return !at.isAfter(now);
  }

  private void complete(
      Kept schedule, Timeline timeline, List<Logged> runs, List<Decided> decisions) {
    Set<Instant> slots =
        runs.stream()
            .filter(run -> run.id().ordinal() == 0)
            .map(run -> run.id().slot())
            .collect(Collectors.toSet());
    for (Stretch stretch : timeline.stretches()) {
      if (stretch.definition().pacing() == Pacing.FINISH) {
        continue;
      }
      List<Instant> lost =
          stretch.slots(stretch.definition().window()).stream()
              .filter(slot -> !slots.contains(slot))
              .filter(slot -> decisions.stream().noneMatch(one -> one.covers(slot)))
              .toList();
      violations.check(
          lost.isEmpty(),
          "complete",
          "%s v%s (%s) lost %s slots between %s and %s: %s",
          schedule.key(),
          stretch.version(),
          stretch.definition().timing(),
          lost.size(),
          stretch.after(),
          stretch.through(),
          lost.stream().limit(MAX_NAMED).toList());
    }
  }

  /* A run of a slot that its definition never named, or that it named while it was not in force. */
  private void onlyNamedSlots(Kept schedule, Timeline timeline, List<Logged> runs) {
    for (Logged run : runs) {
      Definition definition = schedule.version(run.version());
      if (!run.ofSlot() || definition.pacing() == Pacing.FINISH) {
        continue;
      }
      violations.check(
          definition.timing().matches(run.id().slot())
              && definition.window().contains(run.id().slot()),
          "named",
          "%s v%s (%s) never named %s",
          schedule.key(),
          run.version(),
          definition.timing(),
          run);
      violations.check(
          timeline.stretches().stream()
              .filter(stretch -> stretch.version() == run.version())
              .map(Stretch::after)
              .min(Comparator.naturalOrder())
              .filter(after -> !run.id().slot().isAfter(after))
              .isEmpty(),
          "in force",
          "%s v%s was not in force yet at %s",
          schedule.key(),
          run.version(),
          run);
    }
  }

  private void mostRuns(Kept schedule, Timeline timeline, List<Logged> runs) {
    long most = schedule.current().maxRuns();
    long planned =
        runs.stream()
            .filter(run -> run.ofSlot() && run.version() >= timeline.firstVersion())
            .count();
    violations.check(
        most == 0 || planned <= most,
        "most runs",
        "%s has had %s runs of at most %s",
        schedule.key(),
        planned,
        most);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
