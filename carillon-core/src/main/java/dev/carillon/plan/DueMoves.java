package dev.carillon.plan;

import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What moves the due times of a schedule's slots, and what was decided under it before.
 *
 * @param rule when the run of a slot is due
 * @param earlierRuns slots up to where planning stands that have a run, as far back as they may
 *     share a due time with slots to come
 * @param decided slots after where planning stands that stay decided about: they were missed, or
 *     are part of a run that was due before its slot
 * @param heldBack slots whose late runs wait for the end of quiet time, by that end, where all that
 *     wait for it are one run
 */
public record DueMoves(
    DueRule rule,
    SortedSet<Instant> earlierRuns,
    SortedSet<Instant> decided,
    Map<Instant, Instant> heldBack) {
  /** Slots are due at their own time. */
  public static final DueMoves NONE = new DueMoves(DueRule.NONE, new TreeSet<>(), new TreeSet<>());

  public DueMoves {
    earlierRuns = Collections.unmodifiableSortedSet(earlierRuns);
    decided = Collections.unmodifiableSortedSet(decided);
    heldBack = Map.copyOf(heldBack);
  }

  /** No run is held back. */
  public DueMoves(DueRule rule, SortedSet<Instant> earlierRuns, SortedSet<Instant> decided) {
    this(rule, earlierRuns, decided, Map.of());
  }

  /** Nothing was decided under {@code rule} yet. */
  public static DueMoves by(DueRule rule) {
    return rule == DueRule.NONE ? NONE : new DueMoves(rule, new TreeSet<>(), new TreeSet<>());
  }

  /** Tell whether slots are due at their own time. */
  public boolean isNone() {
    return rule == DueRule.NONE;
  }

  /** Tell whether two slots may have the same due time. */
  public static boolean mayMerge(DueRule rule) {
    return !rule.maxAdvance().isZero() || !rule.maxDelay().isZero();
  }

  DueMoves after(Plan plan) {
    if (isNone() || plan.runs().isEmpty()) {
      return this;
    }
    var runs = new TreeSet<Instant>(earlierRuns);
    plan.runs().forEach(run -> runs.add(run.slot()));
    return new DueMoves(rule, runs, decided, heldBack);
  }
}
