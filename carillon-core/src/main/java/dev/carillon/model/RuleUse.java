package dev.carillon.model;

import java.util.Optional;

/**
 * Which schedules a calendar or quiet hours are for: those that name the calendar, that name the
 * quiet hours, or that have a tag; all if none of these is given.
 */
public record RuleUse(
    Optional<String> calendar, Optional<String> quietHours, Optional<String> tag) {
  /** All schedules. */
  public static final RuleUse ALL =
      new RuleUse(Optional.empty(), Optional.empty(), Optional.empty());

  /** Those that follow the calendar called {@code name}. */
  public static RuleUse ofCalendar(String name) {
    return new RuleUse(Optional.of(name), Optional.empty(), Optional.empty());
  }

  /** Those that name the quiet hours called {@code name}. */
  public static RuleUse ofQuietHours(String name) {
    return new RuleUse(Optional.empty(), Optional.of(name), Optional.empty());
  }

  /** Those with a tag. */
  public static RuleUse ofTag(String tag) {
    return new RuleUse(Optional.empty(), Optional.empty(), Optional.of(tag));
  }
}
