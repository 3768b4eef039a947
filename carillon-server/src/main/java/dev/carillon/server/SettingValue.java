package dev.carillon.server;

import dev.carillon.time.DurationText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/**
 * A value of a setting; what cannot be used is refused with the name as it was spelled.
 *
 * @param spelling the name, as spelled where the value was found
 * @param value the value
 */
record SettingValue(String spelling, String value) {
  /** Return the value as a number from {@code least} to {@code most}. */
  int whole(int least, int most, String what) {
    try {
      int number = Integer.parseInt(value.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // falls through to the same complaint
    }
    throw new IllegalArgumentException(
        "%s must be %s; was '%s'".formatted(spelling, what, value.strip()));
  }

  /** Return the value as a duration: ISO 8601, or in short, such as {@code 500ms}. */
  Duration duration() {
    return read(DurationText::parse);
  }

  boolean flag() {
    String text = value.strip();
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(
          "%s must be true or false; was '%s'".formatted(spelling, text));
    }
    return text.equals("true");
  }

  Path path(String what) {
    if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "%s must be a %s, without control characters in its name".formatted(spelling, what));
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "%s is not a path: %s".formatted(spelling, e.getReason()), e);
    }
  }

  <T> T read(Function<String, T> reader) {
    try {
      return reader.apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(spelling, e.getMessage()), e);
    }
  }
}
