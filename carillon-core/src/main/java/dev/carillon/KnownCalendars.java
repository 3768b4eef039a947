package dev.carillon;

import dev.carillon.time.InvalidValueException;
import java.util.Set;

/**
 * The calendars that deadlines may count the working time of. There are none yet: here they are
 * looked up.
 */
final class KnownCalendars {
  private static final Set<String> NAMES = Set.of();

  private KnownCalendars() {}

  /** Refuse a calendar that is not known, named by the field {@code field}. */
  static void require(String field, String name) {
    if (!NAMES.contains(name)) {
      throw new InvalidValueException(
          field,
          "calendar '%s' is unknown; leave it out to count time as it passes".formatted(name));
    }
  }
}
