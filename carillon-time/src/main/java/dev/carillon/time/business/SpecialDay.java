package dev.carillon.time.business;

import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/**
 * A business day with a name, and maybe with hours of its own.
 *
 * @param name why it is special, such as "Christmas Eve"
 * @param closes when its working hours end early, if they do
 * @param hours its own working hours; empty for the usual ones
 */
public record SpecialDay(String name, Optional<LocalTime> closes, List<HourSpan> hours) {
  public SpecialDay {
    hours = List.copyOf(hours);
  }

  /** Return a day with the usual hours. */
  public static SpecialDay named(String name) {
    return new SpecialDay(name, Optional.empty(), List.of());
  }

  /** Return a day that ends at {@code closes}. */
  public static SpecialDay closing(String name, LocalTime closes) {
    return new SpecialDay(name, Optional.of(closes), List.of());
  }

  /** Return a day with working hours of its own. */
  public static SpecialDay working(String name, List<HourSpan> hours) {
    return new SpecialDay(name, Optional.empty(), hours);
  }
}
