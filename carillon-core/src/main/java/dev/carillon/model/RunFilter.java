package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Which runs to list, the latest slots first.
 *
 * @param schedule of the schedule with this key
 * @param state in this state
 * @param target of this target
 * @param trigger caused by this
 * @param node that this node has or had
 * @param correlation with this word
 * @param from with a slot at or after this
 * @param until with a slot before this
 * @param after after this run in the list: where the last page ended
 * @param limit at most this many
 */
public record RunFilter(
    Optional<String> schedule,
    Optional<RunState> state,
    Optional<String> target,
    Optional<Trigger> trigger,
    Optional<UUID> node,
    Optional<String> correlation,
    Instant from,
    Instant until,
    Optional<RunId> after,
    int limit) {
  /** The most runs one page may have. */
  public static final int LARGEST_PAGE = 500;

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  public RunFilter {
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException(
          "a page has from 1 to " + LARGEST_PAGE + " runs; was " + limit);
    }
    StorableText.check("schedule", schedule);
    StorableText.check("target", target);
    StorableText.check("correlation", correlation);
    from = bounded(from);
    until = bounded(until);
  }

  /* Java knows instants that PostgreSQL does not. */
  private static Instant bounded(Instant at) {
    return at.isBefore(FIRST) ? FIRST : at.isAfter(LAST) ? LAST : at;
  }

  /** List any runs. */
  public static RunFilter all() {
    return new RunFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        FIRST,
        LAST,
        Optional.empty(),
        50);
  }

  /** List runs of the schedule called {@code key}. */
  public static RunFilter of(String key) {
    return all().schedule(key);
  }

  public RunFilter schedule(String key) {
    return new RunFilter(
        Optional.of(key), state, target, trigger, node, correlation, from, until, after, limit);
  }

  public RunFilter state(RunState state) {
    return new RunFilter(
        schedule,
        Optional.of(state),
        target,
        trigger,
        node,
        correlation,
        from,
        until,
        after,
        limit);
  }

  public RunFilter target(String label) {
    return new RunFilter(
        schedule, state, Optional.of(label), trigger, node, correlation, from, until, after, limit);
  }

  public RunFilter trigger(Trigger trigger) {
    return new RunFilter(
        schedule,
        state,
        target,
        Optional.of(trigger),
        node,
        correlation,
        from,
        until,
        after,
        limit);
  }

  public RunFilter node(UUID node) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        Optional.of(node),
        correlation,
        from,
        until,
        after,
        limit);
  }

  public RunFilter correlation(String word) {
    return new RunFilter(
        schedule, state, target, trigger, node, Optional.of(word), from, until, after, limit);
  }

  public RunFilter between(Instant from, Instant until) {
    return new RunFilter(
        schedule, state, target, trigger, node, correlation, from, until, after, limit);
  }

  public RunFilter after(RunId last) {
    return new RunFilter(
        schedule, state, target, trigger, node, correlation, from, until, Optional.of(last), limit);
  }

  public RunFilter limit(int limit) {
    return new RunFilter(
        schedule, state, target, trigger, node, correlation, from, until, after, limit);
  }
}
