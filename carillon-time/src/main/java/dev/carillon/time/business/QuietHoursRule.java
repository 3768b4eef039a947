package dev.carillon.time.business;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keeps runs out of the quiet hours that apply to a schedule, its own and those of others.
 *
 * <p>The quiet hours that cover a due time decide what becomes of it; if several do, the strictest:
 * skip, then coalesce, then defer. A run that is put off waits until none of them covers it. With
 * {@link QuietAction#COALESCE} it is due exactly at the end of the period, as all others are. With
 * {@link QuietAction#DEFER} it is due as many microseconds after the end as its due time was
 * seconds into the period: runs stay apart and in order.
 */
public final class QuietHoursRule implements DueRule {
  /* A second of quiet time becomes a microsecond after it. */
  private static final long COMPRESSION = 1_000_000;

  private final List<QuietHours> all;
  private final List<QuietTime> each;
  private final QuietTime together;
  private final Duration longest;

  /** Apply all of these. */
  public QuietHoursRule(List<QuietHours> all) {
    this.all = List.copyOf(all);
    this.each = all.stream().map(hours -> new QuietTime(List.of(hours))).toList();
    this.together = new QuietTime(all);
    this.longest = together.longest();
  }

  /** Return the quiet hours that it applies. */
  public List<QuietHours> all() {
    return all;
  }

  @Override
  public Due due(Instant slot) {
    return apply(Due.at(slot));
  }

  Due apply(Due.At before) {
    Optional<Covering> strictest = strictest(before.at());
    if (strictest.isEmpty()) {
      return before;
    }
    QuietHours hours = strictest.get().hours;
    String because = strictest.get().period.reason();
    if (hours.action() == QuietAction.SKIP) {
      return new Due.Dropped(Due.Policy.QUIET_HOURS, hours.name(), because);
    }
    QuietPeriod period = together.covering(before.at()).orElseThrow();
    if (Duration.between(period.start(), period.end()).compareTo(longest)
        > 0) { // as good as always quiet
      return new Due.Dropped(
          Due.Policy.QUIET_HOURS, hours.name(), because + ", and there is no end to it");
    }
    Instant to =
        hours.action() == QuietAction.COALESCE
            ? period.end()
            : period.end().plus(spread(period, before.at()));
    return Due.moved(before, new Due.Move(to, Due.Policy.QUIET_HOURS, hours.name(), because));
  }

  /* In whole microseconds, as the store keeps no less; closer if it would be quiet again by then. */
  private Duration spread(QuietPeriod period, Instant at) {
    Duration length = Duration.between(period.start(), period.end());
    Duration wanted = length.dividedBy(COMPRESSION);
    Duration room = together.breakAfter(period.end(), wanted);
    Duration into = Duration.between(period.start(), at);
    double narrower = room.equals(wanted) ? 1 : seconds(room) / seconds(wanted);
    return Duration.of((long) (into.toSeconds() * narrower), ChronoUnit.MICROS);
  }

  private static double seconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / 1e9;
  }

  private Optional<Covering> strictest(Instant at) {
    Optional<Covering> strictest = Optional.empty();
    for (int i = 0; i < all.size(); i++) {
      QuietHours hours = all.get(i);
      boolean stricter =
          strictest.isEmpty() || rank(hours.action()) < rank(strictest.get().hours.action());
      Optional<QuietPeriod> period = stricter ? each.get(i).containing(at) : Optional.empty();
      if (period.isPresent()) {
        strictest = Optional.of(new Covering(hours, period.get()));
      }
    }
    return strictest;
  }

  private static int rank(QuietAction action) {
    return switch (action) {
      case SKIP -> 0;
      case COALESCE -> 1;
      case DEFER -> 2;
    };
  }

  @Override
  public boolean allows(Instant at) {
    return together.containing(at).isEmpty();
  }

  /* At the end of the period, before those that were due in it. */
  @Override
  public Optional<HeldBack> heldBack(Instant at) {
    return strictest(at).map(covering -> heldBack(covering, at));
  }

  private HeldBack heldBack(Covering covering, Instant at) {
    QuietHours hours = covering.hours;
    Due due = due(at);
    if (due instanceof Due.At && hours.action() == QuietAction.DEFER) {
      Instant end = together.covering(at).orElseThrow().end();
      var move = new Due.Move(end, Due.Policy.QUIET_HOURS, hours.name(), covering.period.reason());
      due = Due.moved(Due.at(at), move);
    }
    return new HeldBack(due, hours.action() == QuietAction.COALESCE);
  }

  @Override
  public Duration maxAdvance() {
    return Duration.ZERO;
  }

  @Override
  public Duration maxDelay() {
    boolean moves = all.stream().anyMatch(hours -> hours.action() != QuietAction.SKIP);
    return moves ? longest.plus(longest.dividedBy(COMPRESSION)) : Duration.ZERO;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuietHoursRule that && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return all.stream().map(QuietHours::name).collect(Collectors.joining(", ", "quiet hours ", ""));
  }

  /** Quiet hours that cover a due time. */
  private record Covering(QuietHours hours, QuietPeriod period) {}
}
