package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What to do with slots that passed while nothing could run them.
 *
 * @param mode which of them run
 * @param limit at most how many, the newest ones, oldest first; for {@link Mode#ALL} and {@link
 *     Mode#SPREAD}; the others are recorded as beyond the limit
 * @param maxAge slots older than this are dropped whatever the mode
 * @param grace a slot this late is merely late, and runs
 * @param name the word by which the mode was given: ours, or one that other schedulers use
 */
public record CatchUp(
    Mode mode, int limit, Optional<Duration> maxAge, Duration grace, String name) {
  /** The most slots that one catch-up may run, and how many it may unless it says. */
  public static final int MAX_LIMIT = 10_000;

  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
  private static final Duration MAX_LENGTH = Duration.ofDays(36_525);
  private static final Map<String, Mode> NAMES =
      Map.of(
          "skip", Mode.SKIP,
          "none", Mode.SKIP,
          "once", Mode.ONCE,
          "run_once", Mode.ONCE,
          "all", Mode.ALL,
          "run_all", Mode.ALL,
          "fire_immediately", Mode.ALL,
          "run_all_capped", Mode.ALL,
          "spread", Mode.SPREAD);

  /** Which missed slots run. */
  public enum Mode {
    /** None; the next slot is soon enough. */
    SKIP,
    /** The newest, for all of them. */
    ONCE,
    /** Each, oldest first, as many in a turn as the scheduler allows. */
    ALL,
    /** Each, spread evenly over the lookahead. */
    SPREAD
  }

  public CatchUp {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new InvalidValueException(
          "catch-up limit must be from 1 to %s; was %s; to run none, use mode skip"
              .formatted(MAX_LIMIT, limit));
    }
    if (grace.isNegative() || grace.compareTo(MAX_LENGTH) > 0) {
      throw new InvalidValueException("grace must be from 0 to 36525d; was " + grace);
    }
    if (maxAge.isPresent()
        && (maxAge.get().compareTo(Duration.ZERO) <= 0 || maxAge.get().compareTo(MAX_LENGTH) > 0)) {
      throw new InvalidValueException(
          "max age must be above 0 and at most 36525d; was " + maxAge.get());
    }
    if (NAMES.get(name) != mode) {
      throw new IllegalArgumentException("'" + name + "' is no word for the mode " + mode);
    }
  }

  /** Call the mode by our own word. */
  public CatchUp(Mode mode, int limit, Optional<Duration> maxAge, Duration grace) {
    this(mode, limit, maxAge, grace, mode.name().toLowerCase(Locale.ROOT));
  }

  /** Catch up in {@code mode}, whatever the age of a slot, with a grace of ten seconds. */
  public static CatchUp of(Mode mode) {
    return new CatchUp(mode, MAX_LIMIT, Optional.empty(), DEFAULT_GRACE);
  }

  /** Forget what was missed. */
  public static CatchUp skip() {
    return of(Mode.SKIP);
  }

  /** Run once for everything missed. */
  public static CatchUp once() {
    return of(Mode.ONCE);
  }

  /** Run every missed slot, oldest first, up to the limit. */
  public static CatchUp all() {
    return of(Mode.ALL);
  }

  /** Run every missed slot, up to the limit, spread evenly over the lookahead. */
  public static CatchUp spread() {
    return of(Mode.SPREAD);
  }

  /** Return the mode called {@code name}, by our names or those other schedulers use. */
  public static Mode modeNamed(String name) {
    Mode mode = NAMES.get(name.toLowerCase(Locale.ROOT));
    if (mode == null) {
      throw new InvalidValueException(
          "'" + name + "' is no catch-up mode; use skip, once, all or spread");
    }
    return mode;
  }

  /** Run missed slots as the mode called {@code name} says, and remember that name. */
  public CatchUp called(String name) {
    return new CatchUp(modeNamed(name), limit, maxAge, grace, name.toLowerCase(Locale.ROOT));
  }

  /** Run missed slots as {@code mode} says. */
  public CatchUp mode(Mode mode) {
    return new CatchUp(mode, limit, maxAge, grace);
  }

  /** Run at most {@code limit} missed slots. */
  public CatchUp limit(int limit) {
    return new CatchUp(mode, limit, maxAge, grace, name);
  }

  /** Drop slots older than {@code maxAge}. */
  public CatchUp maxAge(Duration maxAge) {
    return new CatchUp(mode, limit, Optional.of(maxAge), grace, name);
  }

  /** Run missed slots however old they are. */
  public CatchUp anyAge() {
    return new CatchUp(mode, limit, Optional.empty(), grace, name);
  }

  /** Treat slots up to {@code grace} late as merely late. */
  public CatchUp grace(Duration grace) {
    return new CatchUp(mode, limit, maxAge, grace, name);
  }
}
