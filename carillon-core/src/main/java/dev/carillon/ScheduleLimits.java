package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.Pause;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a schedule may be given; what lies outside is refused with the value and the cure. */
final class ScheduleLimits {
  static final Duration MAX_DELAY = Duration.ofDays(36_525);

  private ScheduleLimits() {}

  static String key(String key) {
    return FieldLimits.name("a key", key);
  }

  static String target(String label) {
    return FieldLimits.name("a target", label);
  }

  static int most(String label, int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "target '%s' needs room for at least 1 run; was %s".formatted(label, most));
    }
    return most;
  }

  static Instant end(Instant until, Instant now) {
    Instant end = FieldLimits.instant("the end of a pause", until);
    if (!end.isAfter(now)) {
      throw new InvalidValueException(
          "until", "a pause must end in the future; was " + until + "; use resume to end it now");
    }
    return end;
  }

  /** Return a pause as it is stored: one that was to begin by {@code now} is at once. */
  static Pause pause(Pause pause, Instant now) {
    Optional<Instant> from =
        pause
            .from()
            .map(at -> FieldLimits.instant("the beginning of a pause", at))
            .filter(now::isBefore);
    Optional<Instant> until = pause.until().map(at -> end(at, now));
    return new Pause(pause.reason(), from, until);
  }

  static String correlation(String word) {
    return FieldLimits.name("a correlation", word);
  }

  static String calendar(String name) {
    return FieldLimits.name("a calendar", name);
  }

  static String workflow(String id) {
    return FieldLimits.name("a workflow's id", id);
  }

  static String worker(String name) {
    return FieldLimits.name("a worker's name", name);
  }

  static String actor(String actor) {
    return FieldLimits.name("an actor", actor);
  }

  static Duration delay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw new InvalidValueException(
          "a delay must be from 0 to " + MAX_DELAY.toDays() + "d; was " + delay);
    }
    return delay;
  }

  static int count(int count, int most) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException("count must be from 1 to " + most + "; was " + count);
    }
    return count;
  }
}
