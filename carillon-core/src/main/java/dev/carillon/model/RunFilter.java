package dev.carillon.model;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Which runs to list, the latest slots first.
 *
 * @param schedule of the schedule with this key
 * @param state in this state
 * @param target of this target
 * @param trigger caused by this
 * @param node that this node has or had
 * @param correlation with this word
 * @param text with this text in its schedule, target, correlation, failure, reason or id, in
 *     capitals or not
 * @param payload whose payload contains this one
 * @param dueBy due by this, or begun before they were: without what is planned for later
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
    Optional<String> text,
    Payload payload,
    Optional<Instant> dueBy,
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
    StorableText.check("text", text);
    from = bounded(from);
    until = bounded(until);
    dueBy = dueBy.map(RunFilter::bounded);
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
        Optional.empty(),
        Payload.EMPTY,
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
        Optional.of(key),
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  public RunFilter state(RunState state) {
    return new RunFilter(
        schedule,
        Optional.of(state),
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  public RunFilter target(String label) {
    return new RunFilter(
        schedule,
        state,
        Optional.of(label),
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  public RunFilter trigger(Trigger trigger) {
    return new RunFilter(
        schedule,
        state,
        target,
        Optional.of(trigger),
        node,
        correlation,
        text,
        payload,
        dueBy,
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
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  public RunFilter correlation(String word) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        Optional.of(word),
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  public RunFilter text(String text) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        Optional.of(text),
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  /** Return the same without what no index knows: trigger, node and text. */
  public RunFilter indexed() {
    return new RunFilter(
        schedule,
        state,
        target,
        Optional.empty(),
        Optional.empty(),
        correlation,
        Optional.empty(),
        Payload.EMPTY,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  /**
   * Tell whether {@code run} has the trigger, node, text and payload that are wanted, if any are.
   */
  public boolean fits(Run run) {
    return trigger.filter(wanted -> wanted != run.trigger()).isEmpty()
        && node.filter(wanted -> !run.node().equals(Optional.of(wanted))).isEmpty()
        && text.filter(wanted -> !mentions(run, wanted.toLowerCase(Locale.ROOT))).isEmpty()
        && run.payload().contains(payload);
  }

  private static boolean mentions(Run run, String wanted) {
    return Stream.of(
            run.schedule(),
            Optional.of(run.target()),
            run.correlation(),
            run.failure().map(Failure::code),
            run.failure().map(Failure::message),
            run.reason(),
            Optional.of(run.id().toString()))
        .flatMap(Optional::stream)
        .anyMatch(said -> said.toLowerCase(Locale.ROOT).contains(wanted));
  }

  /** Tell whether this asks for anything but all of them. */
  public boolean narrows() {
    RunFilter all = all();
    return !after(all).equals(all);
  }

  private RunFilter after(RunFilter other) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        other.after,
        other.limit);
  }

  public RunFilter between(Instant from, Instant until) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  /** List runs whose payload contains {@code payload}. */
  public RunFilter payload(Payload payload) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }

  /** Leave out what has not begun and is not due by {@code now}. */
  public RunFilter dueBy(Instant now) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        Optional.of(now),
        from,
        until,
        after,
        limit);
  }

  public RunFilter after(RunId last) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        Optional.of(last),
        limit);
  }

  public RunFilter limit(int limit) {
    return new RunFilter(
        schedule,
        state,
        target,
        trigger,
        node,
        correlation,
        text,
        payload,
        dueBy,
        from,
        until,
        after,
        limit);
  }
}
