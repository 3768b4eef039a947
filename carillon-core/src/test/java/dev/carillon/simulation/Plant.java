package dev.carillon.simulation;

import dev.carillon.engine.ClockStep;
import dev.carillon.engine.DatabaseClock;
import dev.carillon.engine.NodeTime;
import dev.carillon.simulation.Wire.Fate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A bug put into a story on purpose, to see whether the audit finds it; usually none. */
final class Plant {
  private record Change(String fragment, String instead) {}

  private final String name;
  private final List<Change> changes = new ArrayList<>();
  private final Set<String> found = new HashSet<>();
  private final Set<String> laws = new HashSet<>();
  private String struck = "";
  private Fate stroke = Fate.DONE;
  private String split = "";
  private boolean ownClock;
  private boolean freezing;
  private int firstStory;

  private Plant(String name) {
    this.name = name;
  }

  static Plant none() {
    return new Plant("none");
  }

  static Plant bug(String name) {
    return new Plant(name);
  }

  /** Expect one of {@code laws} to be broken. */
  Plant breaking(String... laws) {
    this.laws.addAll(List.of(laws));
    return this;
  }

  /** Tell whether {@code violation} is one that was expected. */
  boolean explains(Violation violation) {
    return laws.contains(violation.law());
  }

  /** Send {@code instead} where a statement says {@code fragment}. */
  Plant say(String fragment, String instead) {
    changes.add(new Change(fragment, instead));
    return this;
  }

  /** Now and then, let a commit of a transaction that says {@code fragment} meet {@code fate}. */
  Plant striking(String fragment, Fate fate) {
    struck = fragment;
    stroke = fate;
    return this;
  }

  /** Commit before the statement that says {@code fragment}, and go on in another transaction. */
  Plant splitting(String fragment) {
    split = fragment;
    return this;
  }

  /** Let nodes freeze often, and longer than their lease, with runs at work. */
  Plant freezing() {
    freezing = true;
    return this;
  }

  /** Begin with this story, as it takes many to find it. */
  Plant fromStory(int number) {
    firstStory = number;
    return this;
  }

  int firstStory() {
    return firstStory;
  }

  boolean freezes() {
    return freezing;
  }

  /** Let nodes go by a clock of their own, which is ahead. */
  Plant ownClock() {
    ownClock = true;
    return this;
  }

  String text(String sql) {
    String text = sql;
    for (Change change : changes) {
      if (text.contains(change.fragment)) {
        found.add(change.fragment);
        text = text.replace(change.fragment, change.instead);
      }
    }
    return text;
  }

  /** Return what may become of the commit of a transaction that sent {@code sent}. */
  Fate fate(Set<String> sent) {
    return !struck.isEmpty() && sent.stream().anyMatch(sql -> sql.contains(struck))
        ? stroke
        : Fate.DONE;
  }

  boolean splits(String sql) {
    return !split.isEmpty() && sql.contains(split);
  }

  NodeTime clock(DatabaseClock time) {
    return ownClock ? new Ahead(time) : time;
  }

  private record Ahead(DatabaseClock time) implements NodeTime {
    @Override
    public Instant instant() {
      return time.instant().plusMillis(800);
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public Optional<ClockStep> lastStep() {
      return time.lastStep();
    }
  }

  /** Return the fragments that no statement had: those bugs were never planted. */
  Set<String> missed() {
    var missed = new HashSet<String>();
    changes.forEach(change -> missed.add(change.fragment));
    missed.removeAll(found);
    return missed;
  }

  @Override
  public String toString() {
    return name;
  }
}
