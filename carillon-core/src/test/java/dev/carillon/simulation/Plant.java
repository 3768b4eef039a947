package dev.carillon.simulation;

import dev.carillon.engine.DatabaseTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A bug put into a story on purpose, to see whether the audit finds it; usually none. */
final class Plant {
  private record Change(String fragment, String instead) {}

  private final String name;
  private final List<Change> changes = new ArrayList<>();
  private final Set<String> found = new HashSet<>();
  private final List<String> before = new ArrayList<>();
  private final List<String> after = new ArrayList<>();
  private String unkept = "";
  private String halved = "";
  private boolean ownClock;

  private Plant(String name) {
    this.name = name;
  }

  static Plant none() {
    return new Plant("none");
  }

  static Plant bug(String name) {
    return new Plant(name);
  }

  /** Send {@code instead} where a statement says {@code fragment}. */
  Plant say(String fragment, String instead) {
    changes.add(new Change(fragment, instead));
    return this;
  }

  /** Run {@code sql} before the stories and {@code undo} after them. */
  Plant with(String sql, String undo) {
    before.add(sql);
    after.add(undo);
    return this;
  }

  /** Now and then, only pretend to commit a transaction that says {@code fragment}. */
  Plant notKeeping(String fragment) {
    unkept = fragment;
    return this;
  }

  /** Commit before the statement that says {@code fragment}, and go on in another transaction. */
  Plant halving(String fragment) {
    halved = fragment;
    return this;
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

  boolean keeps(Set<String> sent) {
    return unkept.isEmpty() || sent.stream().noneMatch(sql -> sql.contains(unkept));
  }

  boolean halves(String sql) {
    return !halved.isEmpty() && sql.contains(halved);
  }

  InstantSource clock(DatabaseTime time) {
    return ownClock ? () -> time.instant().plusMillis(800) : time;
  }

  List<String> before() {
    return before;
  }

  List<String> after() {
    return after;
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
