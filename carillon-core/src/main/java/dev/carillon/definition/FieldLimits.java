package dev.carillon.definition;

import dev.carillon.model.StorableText;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Expectation;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Window;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What the fields of a definition may hold; what lies outside is refused with the cure. */
public final class FieldLimits {
  static final int MAX_NAME = 200;
  static final int MAX_TAG = 100;
  static final int MAX_TAGS = 50;
  static final int MAX_DESCRIPTION = 4_000;
  private static final int MAX_SHOWN = 60;
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private FieldLimits() {}

  /** Return {@code tags} without repetitions, in the order of the alphabet. */
  public static List<String> tags(List<String> tags) {
    List<String> distinct =
        tags.stream().map(tag -> line("a tag", tag, MAX_TAG)).distinct().sorted().toList();
    if (distinct.size() > MAX_TAGS) {
      throw new InvalidValueException(
          "a schedule has at most %s tags; these are %s; put what you do not search by into the payload"
              .formatted(MAX_TAGS, distinct.size()));
    }
    return distinct;
  }

  /** Return a description. */
  public static String description(String description) {
    if (description.length() > MAX_DESCRIPTION) {
      throw new InvalidValueException(
          "a description has at most %s characters; this one has %s; shorten it, or link to more"
              .formatted(MAX_DESCRIPTION, description.length()));
    }
    if (!StorableText.is(description)) {
      throw new InvalidValueException(
          "a description must not hold \\u0000 or half of a surrogate pair; remove them");
    }
    return description;
  }

  /** Return {@code instant} in whole microseconds, as PostgreSQL keeps it. */
  public static Instant instant(String what, Instant instant) {
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw new InvalidValueException(
          what + " must be from 1970 to 9999; was " + instant + "; check its unit");
    }
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  static Window window(Window window) {
    Instant from = window.from();
    Instant until = window.until();
    return new Window(
        from.equals(Instant.MIN) ? from : instant("the beginning of a window", from),
        until.equals(Instant.MAX) ? until : instant("the end of a window", until));
  }

  static long maxRuns(long most) {
    if (most < 0) {
      throw new InvalidValueException("max runs must be at least 1, or 0 for no end; was " + most);
    }
    return most;
  }

  /** Return a deadline whose names can be stored. */
  public static Deadline deadline(Deadline deadline) {
    name("the target to escalate to", deadline.escalateTo());
    deadline.calendar().ifPresent(FieldLimits::calendar);
    return deadline;
  }

  /** Return the name of a calendar that can be stored. */
  public static String calendar(String name) {
    return name("the name of a calendar", name);
  }

  static Expectation expectation(Expectation expectation) {
    expectation.escalateTo().ifPresent(target -> name("the target to escalate to", target));
    return expectation;
  }

  /** Return a name such as a key: a text of one line that is not empty. */
  public static String name(String what, String text) {
    return line(what, text, MAX_NAME);
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
    String cut = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
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
