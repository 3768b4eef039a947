package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.QuietHours;
import java.util.List;

/**
 * Quiet hours, and which schedules they are for besides those that name them.
 *
 * @param hours when it is quiet, and what becomes of runs then
 * @param tags they are for schedules with one of these tags
 * @param everything whether they are for all schedules
 * @param description what they are for; empty if they do not say
 */
public record QuietHoursDefinition(
    QuietHours hours, List<String> tags, boolean everything, String description) {
  public QuietHoursDefinition {
    tags = tags.stream().distinct().sorted().toList();
    if (everything && !tags.isEmpty()) {
      throw new InvalidValueException(
          "tags", "these quiet hours are for everything; leave the tags out, or set no everything");
    }
  }

  /** Return quiet hours for schedules that name them. */
  public static QuietHoursDefinition of(QuietHours hours) {
    return new QuietHoursDefinition(hours, List.of(), false, "");
  }

  /** Return quiet hours for all schedules. */
  public static QuietHoursDefinition ofEverything(QuietHours hours) {
    return new QuietHoursDefinition(hours, List.of(), true, "");
  }

  /** Return quiet hours for schedules with one of these tags, and for those that name them. */
  public static QuietHoursDefinition ofTags(QuietHours hours, String... tags) {
    return new QuietHoursDefinition(hours, List.of(tags), false, "");
  }

  /** Return these quiet hours with a description. */
  public QuietHoursDefinition describedAs(String text) {
    return new QuietHoursDefinition(hours, tags, everything, text);
  }

  /** Return the same with other times. */
  public QuietHoursDefinition at(QuietHours others) {
    return new QuietHoursDefinition(others, tags, everything, description);
  }

  /** Return their name. */
  public String name() {
    return hours.name();
  }
}
