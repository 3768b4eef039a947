package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which past slots of a schedule to make up for, and how.
 *
 * @param from the first slot, or a time before it
 * @param to the last slot, or a time after it
 * @param limit at most how many, the oldest first
 * @param overlap the overlap rule these runs obey; empty for one after the other, none left out
 * @param spread over how long their starts are spread; zero for at once
 */
public record BackfillDraft(
    Instant from, Instant to, int limit, Optional<Overlap> overlap, Duration spread) {

  public BackfillDraft {
    from = FieldLimits.instant("from", from);
    to = FieldLimits.instant("to", to);
    if (to.isBefore(from)) {
      throw new InvalidValueException(
          "a backfill must not end before it begins; was from " + from + " to " + to);
    }
    if (limit < 1 || limit > CatchUp.MAX_LIMIT) {
      throw new InvalidValueException(
          "a backfill makes from 1 to " + CatchUp.MAX_LIMIT + " runs; was " + limit);
    }
    ScheduleLimits.delay(spread);
  }

  /** Make up for slots from {@code from} to {@code to}, both included, up to a hundred. */
  public static BackfillDraft between(Instant from, Instant to) {
    return new BackfillDraft(from, to, 100, Optional.empty(), Duration.ZERO);
  }

  /** Make at most this many runs. */
  public BackfillDraft limit(int limit) {
    return new BackfillDraft(from, to, limit, overlap, spread);
  }

  /** Let these runs obey an overlap rule instead of going one after the other. */
  public BackfillDraft overlap(Overlap overlap) {
    return new BackfillDraft(from, to, limit, Optional.of(overlap), spread);
  }

  /** Spread their starts evenly over this time. */
  public BackfillDraft spread(Duration spread) {
    return new BackfillDraft(from, to, limit, overlap, spread);
  }
}
