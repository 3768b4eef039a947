package dev.carillon;

import dev.carillon.model.Pause;
import dev.carillon.model.StorableText;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** What a schedule may be given; what lies outside is refused with the value and the cure. */
final class Bounds {
  static final int LONGEST_NAME = 200;
  static final int LONGEST_TAG = 100;
  static final int MOST_TAGS = 50;
  static final int LONGEST_DESCRIPTION = 4_000;
  static final Duration LONGEST_DELAY = Duration.ofDays(36_525);

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");
  private static final int LONGEST_SHOWN = 60;

  private Bounds() {}

  static String key(String key) {
    return line("a key", key, LONGEST_NAME);
  }

  static String target(String label) {
    return line("a target", label, LONGEST_NAME);
  }

  /** Return how many runs of a target may be at work at a time. */
  static int most(String label, int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "target '%s' needs room for at least 1 run; was %s".formatted(label, most));
    }
    return most;
  }

  /** Return when a pause ends. */
  static Instant end(Instant until, Instant now) {
    Instant end = instant("the end of a pause", until);
    if (!end.isAfter(now)) {
      throw new InvalidValueException(
          "until", "a pause must end in the future; was " + until + "; use resume to end it now");
    }
    return end;
  }

  /** Return a pause as it is stored: one that was to begin by {@code now} is at once. */
  static Pause pause(Pause pause, Instant now) {
    Optional<Instant> from =
        pause.from().map(at -> instant("the beginning of a pause", at)).filter(now::isBefore);
    Optional<Instant> until = pause.until().map(at -> end(at, now));
    return new Pause(pause.reason(), from, until);
  }

  static String correlation(String word) {
    return line("a correlation", word, LONGEST_NAME);
  }

  static String workflow(String id) {
    return line("a workflow's id", id, LONGEST_NAME);
  }

  static String worker(String name) {
    return line("a worker's name", name, LONGEST_NAME);
  }

  static String overlapKey(String key) {
    return line("an overlap key", key, LONGEST_NAME);
  }

  static String requestId(String id) {
    return line("a request id", id, LONGEST_NAME);
  }

  static String actor(String actor) {
    return line("an actor", actor, LONGEST_NAME);
  }

  /** Return {@code tags} without repetitions, in the order of the alphabet. */
  static List<String> tags(List<String> tags) {
    List<String> distinct =
        tags.stream().map(tag -> line("a tag", tag, LONGEST_TAG)).distinct().sorted().toList();
    if (distinct.size() > MOST_TAGS) {
      throw new InvalidValueException(
          "a schedule has at most "
              + MOST_TAGS
              + " tags; these are "
              + distinct.size()
              + "; put what you do not search by into the payload");
    }
    return distinct;
  }

  static String description(String description) {
    if (description.length() > LONGEST_DESCRIPTION) {
      throw new InvalidValueException(
          "a description has at most "
              + LONGEST_DESCRIPTION
              + " characters; this one has "
              + description.length()
              + "; shorten it, or link to more");
    }
    if (!StorableText.is(description)) {
      throw new InvalidValueException(
          "a description must not hold \\u0000 or half of a surrogate pair; remove them");
    }
    return description;
  }

  /** Return {@code instant} in whole microseconds, as PostgreSQL keeps it. */
  static Instant instant(String what, Instant instant) {
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw new InvalidValueException(
          what + " must be from 1970 to 9999; was " + instant + "; check its unit");
    }
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  static Duration delay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
      throw new InvalidValueException(
          "a delay must be from 0 to " + LONGEST_DELAY.toDays() + "d; was " + delay);
    }
    return delay;
  }

  static long maxRuns(long most) {
    if (most < 0) {
      throw new InvalidValueException("max runs must be at least 1, or 0 for no end; was " + most);
    }
    return most;
  }

  /** Return how many things are asked for at once. */
  static int count(int count, int most) {
    if (count < 1 || count > most) {
      throw new IllegalArgumentException("count must be from 1 to " + most + "; was " + count);
    }
    return count;
  }

  private static String line(String what, String text, int longest) {
    if (text.isEmpty() || text.length() > longest) {
      throw new InvalidValueException(
          "%s has 1 to %s characters; '%s' has %s"
              .formatted(what, longest, shown(text), text.length()));
    }
    if (!text.equals(text.strip())) {
      throw new InvalidValueException(
          "%s neither begins nor ends with a blank; was '%s'; remove the blank"
              .formatted(what, shown(text)));
    }
    if (!StorableText.is(text) || text.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException(
          "%s has no control characters; was '%s'; remove what shows as \uFFFD"
              .formatted(what, shown(text)));
    }
    return text;
  }

  private static String shown(String text) {
    String cut = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    var shown = new StringBuilder(cut.length());
    cut.codePoints()
        .map(
            c ->
                Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE
                    ? 0xFFFD
                    : c)
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }
}
