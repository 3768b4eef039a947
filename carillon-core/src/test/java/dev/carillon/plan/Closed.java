package dev.carillon.plan;

import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;

/**
 * A rule for tests: closed for some time at the beginning of each period of the epoch.
 *
 * @param every the length of a period
 * @param closed how long it is closed
 * @param action what becomes of slots of that time
 */
record Closed(Duration every, Duration closed, Action action) implements DueRule {
  /** What becomes of a slot. */
  enum Action {
    /** Nothing. */
    RUN,
    /** It becomes no run. */
    SKIP,
    /** It is due when it opens. */
    OPENING,
    /** It is due as long after the opening as it is after the closing. */
    FOLLOWING,
    /** It is due as long before the closing as it is before the opening. */
    PRECEDING,
    /** It is due a second before the closing. */
    BEFORE_CLOSING,
    /** It is due at the nearer end. */
    NEAREST
  }

  @Override
  public Due due(Instant slot) {
    long period = every.toSeconds();
    long begin = Math.floorDiv(slot.getEpochSecond(), period) * period;
    Instant closing = Instant.ofEpochSecond(begin);
    Instant opening = closing.plus(closed);
    if (!slot.isBefore(opening) || action == Action.RUN) {
      return Due.at(slot);
    }
    return switch (action) {
      case RUN -> Due.at(slot);
      case SKIP -> new Due.Dropped(Due.Policy.CALENDAR, "closed", "it is closed");
      case OPENING -> moved(slot, opening);
      case FOLLOWING -> moved(slot, slot.plus(closed));
      case PRECEDING -> moved(slot, slot.minus(closed));
      case BEFORE_CLOSING -> moved(slot, closing.minusSeconds(1));
      case NEAREST ->
          moved(
              slot,
              Duration.between(closing, slot).compareTo(Duration.between(slot, opening)) < 0
                  ? closing.minusSeconds(1)
                  : opening);
    };
  }

  private static Due moved(Instant slot, Instant to) {
    return Due.moved(Due.at(slot), new Due.Move(to, Due.Policy.CALENDAR, "closed", "it is closed"));
  }

  @Override
  public Duration maxAdvance() {
    return switch (action) {
      case RUN, SKIP, OPENING, FOLLOWING -> Duration.ZERO;
      case PRECEDING, BEFORE_CLOSING, NEAREST -> closed.plusSeconds(1);
    };
  }

  @Override
  public Duration maxDelay() {
    return switch (action) {
      case RUN, SKIP, PRECEDING, BEFORE_CLOSING -> Duration.ZERO;
      case OPENING, FOLLOWING, NEAREST -> closed;
    };
  }
}
