package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The life of a schedule as the audit tells it, cut into stretches of one definition each. */
final class Timeline {
  private final Kept schedule;
  private final List<Logged> runs;
  private final List<Stretch> stretches = new ArrayList<>();
  private int version;
  private Instant after = Instant.MAX;
  private Instant pausedUntil = Instant.MAX;
  private boolean open;
  private boolean paused;
  private int firstVersion = 1;

  private Timeline(Kept schedule, List<Logged> runs) {
    this.schedule = schedule;
    this.runs = runs;
  }

  /** Return the timeline of a schedule up to {@code end}. */
  static Timeline of(Kept schedule, List<Logged> runs, Instant end) {
    var timeline = new Timeline(schedule, runs);
    schedule.changes().forEach(timeline::take);
    timeline.close(end);
    return timeline;
  }

  List<Stretch> stretches() {
    return stretches;
  }

  /** Return the version that began the present life of the schedule: later than 1 if it revived. */
  int firstVersion() {
    return firstVersion;
  }

  private void take(Change change) {
    switch (change.action()) {
      case "schedule.created" -> {
        version = 1;
        open(Stretch.floor(definition(), change.at()));
      }
      case "schedule.changed" -> {
        close(change.at());
        version = Integer.parseInt(change.detail("toVersion").orElseThrow());
        if (change.detail("revived").isPresent()) {
          firstVersion = version;
          paused = false;
        }
        open(Stretch.floor(definition(), change.at()));
      }
      case "schedule.paused" -> {
        if (!paused) {
          Instant begin = change.detail("from").map(Timeline::justBefore).orElse(change.at());
          close(begin);
          open(later(after, begin));
          paused = true;
        }
        pausedUntil = change.detail("until").map(Instant::parse).orElse(Instant.MAX);
      }
      case "schedule.resumed" -> {
        boolean over = paused && pausedUntil.isBefore(change.at());
        Instant end = later(after, over ? pausedUntil : change.at());
        close(end);
        open(end);
        paused = false;
      }
      case "schedule.completed" -> {
        Instant end = pausedUntil.isBefore(change.at()) && paused ? pausedUntil : change.at();
        close(later(after, end));
        paused = false;
      }
      case "schedule.retired" -> {
        close(change.at());
        paused = false;
      }
      default -> {}
    }
  }

  private Definition definition() {
    return schedule.version(version);
  }

  private void open(Instant from) {
    after = from;
    open = true;
  }

  private void close(Instant end) {
    if (open && after.isBefore(end)) {
      Definition definition = definition();
      Instant through = used(end) ? lastSlot(end) : end;
      if (after.isBefore(through)) {
        stretches.add(new Stretch(version, definition, after, through));
      }
    }
    open = false;
  }

  /* A schedule that has had all its runs names no more slots. */
  private boolean used(Instant end) {
    long most = definition().maxRuns();
    return most > 0 && planned(end).count() >= most;
  }

  private Instant lastSlot(Instant end) {
    return planned(end).map(run -> run.id().slot()).max(Instant::compareTo).orElse(end);
  }

  private Stream<Logged> planned(Instant end) {
    return runs.stream()
        .filter(Logged::ofSlot)
        .filter(run -> run.version() >= firstVersion && run.version() <= version)
        .filter(run -> !run.id().slot().isAfter(end) || run.version() < version);
  }

  private static Instant justBefore(String instant) {
    return Instant.parse(instant).minusNanos(1_000);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
