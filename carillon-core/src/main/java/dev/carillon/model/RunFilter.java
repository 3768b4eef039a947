package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
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
 * @param times that started, finished and took as long as this says
 * @param dueBy due by this, or begun before they were: without what is planned for later
 * @param from with a slot at or after this
 * @param until with a slot before this
 * @param after after this run in the list: where the last page ended
 * @param limit at most this many
 * @param scope that it reaches
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
    RunTimes times,
    Optional<Instant> dueBy,
    Instant from,
    Instant until,
    Optional<RunId> after,
    int limit,
    Scope scope) {
  /** The most runs one page may have. */
  public static final int MAX_PAGE = 500;

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  public RunFilter {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new InvalidValueException("a page has from 1 to " + MAX_PAGE + " runs; was " + limit);
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
        RunTimes.ANY,
        Optional.empty(),
        FIRST,
        LAST,
        Optional.empty(),
        50,
        Scope.ALL);
  }

  /** List runs of the schedule called {@code key}. */
  public static RunFilter bySchedule(String key) {
    return all().schedule(key);
  }

  public RunFilter schedule(String key) {
    return with(copy -> copy.schedule = Optional.of(key));
  }

  public RunFilter state(RunState state) {
    return with(copy -> copy.state = Optional.of(state));
  }

  public RunFilter target(String label) {
    return with(copy -> copy.target = Optional.of(label));
  }

  public RunFilter trigger(Trigger trigger) {
    return with(copy -> copy.trigger = Optional.of(trigger));
  }

  public RunFilter node(UUID node) {
    return with(copy -> copy.node = Optional.of(node));
  }

  public RunFilter correlation(String word) {
    return with(copy -> copy.correlation = Optional.of(word));
  }

  public RunFilter text(String text) {
    return with(copy -> copy.text = Optional.of(text));
  }

  /** Return the same without what no index knows: trigger, node, text, payload, times and scope. */
  public RunFilter indexed() {
    return with(
        copy -> {
          copy.trigger = Optional.empty();
          copy.node = Optional.empty();
          copy.text = Optional.empty();
          copy.payload = Payload.EMPTY;
          copy.times = RunTimes.ANY;
          copy.scope = Scope.ALL;
        });
  }

  /**
   * Tell whether {@code run} has the trigger, node, text, payload and times that are wanted, if any
   * are.
   */
  public boolean fits(Run run) {
    return trigger.filter(wanted -> wanted != run.trigger()).isEmpty()
        && node.filter(wanted -> !run.node().equals(Optional.of(wanted))).isEmpty()
        && text.filter(wanted -> !mentions(run, wanted.toLowerCase(Locale.ROOT))).isEmpty()
        && run.payload().contains(payload)
        && times.fit(run);
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

  /** Tell whether this asks for anything but all of them that the scope reaches. */
  public boolean narrows() {
    RunFilter all = all();
    RunFilter whole =
        with(
            copy -> {
              copy.after = all.after;
              copy.limit = all.limit;
              copy.scope = all.scope;
            });
    return !whole.equals(all);
  }

  public RunFilter between(Instant from, Instant until) {
    return with(
        copy -> {
          copy.from = from;
          copy.until = until;
        });
  }

  /** List runs whose payload contains {@code payload}. */
  public RunFilter payload(Payload payload) {
    return with(copy -> copy.payload = payload);
  }

  /** List runs that started, finished and took as long as {@code times} says. */
  public RunFilter times(RunTimes times) {
    return with(copy -> copy.times = times);
  }

  /** Leave out what has not begun and is not due by {@code now}. */
  public RunFilter dueBy(Instant now) {
    return with(copy -> copy.dueBy = Optional.of(now));
  }

  public RunFilter after(RunId last) {
    return with(copy -> copy.after = Optional.of(last));
  }

  public RunFilter limit(int limit) {
    return with(copy -> copy.limit = limit);
  }

  /** List runs that {@code reached} reaches. */
  public RunFilter within(Scope reached) {
    return reached.isAll() ? this : with(copy -> copy.scope = reached);
  }

  private RunFilter with(Consumer<Copy> change) {
    var copy = new Copy();
    change.accept(copy);
    return copy.toFilter();
  }

  /** The parts of this filter, to be changed. */
  private final class Copy {
    private Optional<String> schedule = RunFilter.this.schedule;
    private Optional<RunState> state = RunFilter.this.state;
    private Optional<String> target = RunFilter.this.target;
    private Optional<Trigger> trigger = RunFilter.this.trigger;
    private Optional<UUID> node = RunFilter.this.node;
    private Optional<String> correlation = RunFilter.this.correlation;
    private Optional<String> text = RunFilter.this.text;
    private Payload payload = RunFilter.this.payload;
    private RunTimes times = RunFilter.this.times;
    private Optional<Instant> dueBy = RunFilter.this.dueBy;
    private Instant from = RunFilter.this.from;
    private Instant until = RunFilter.this.until;
    private Optional<RunId> after = RunFilter.this.after;
    private int limit = RunFilter.this.limit;
    private Scope scope = RunFilter.this.scope;

    private RunFilter toFilter() {
      return new RunFilter(
          schedule,
          state,
          target,
          trigger,
          node,
          correlation,
          text,
          payload,
          times,
          dueBy,
          from,
          until,
          after,
          limit,
          scope);
    }
  }
}
