package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Hours in which nothing should run: weekly windows and single freezes.
 *
 * <p>Windows and freezes that adjoin or overlap are one period. A window at a skipped local time
 * begins or ends with the gap, at a repeated one with the first of the two.
 *
 * @param name what they are called
 * @param zone the zone of the windows
 * @param windows what is quiet every week
 * @param freezes what is quiet once
 * @param action what becomes of runs in quiet hours
 */
public record QuietHours(
    String name, ZoneId zone, List<QuietWindow> windows, List<Freeze> freezes, QuietAction action) {
  static final int MAX_WINDOWS = 100;
  static final int MAX_FREEZES = 1_000;

  public QuietHours {
    if (name.isBlank() || name.length() > CalendarCheck.MAX_NAME) {
      throw new InvalidValueException(
          "name",
          "quiet hours need a name of at most %s characters, such as 'night'"
              .formatted(CalendarCheck.MAX_NAME));
    }
    Zones.check(zone);
    windows = List.copyOf(windows);
    freezes = freezes.stream().sorted(Comparator.comparing(Freeze::from)).toList();
    CalendarCheck.most("windows", windows.size(), MAX_WINDOWS);
    CalendarCheck.most("freezes", freezes.size(), MAX_FREEZES);
    if (new WeeklyPattern(windows).isAlways()) {
      throw new InvalidValueException(
          "windows", "it would always be quiet; leave some time in which runs can start");
    }
  }

  /** Return the quiet period that contains {@code instant}, if one does. */
  public Optional<QuietPeriod> covering(Instant instant) {
    return new QuietTime(List.of(this)).covering(instant);
  }

  /** Tell whether the windows of these and of {@code others}, in the same zone, leave no time. */
  public boolean isAlwaysWith(List<QuietHours> others) {
    return new WeeklyPattern(
            Stream.concat(Stream.of(this), others.stream())
                .flatMap(hours -> hours.windows.stream())
                .toList())
        .isAlways();
  }

  /** Return these quiet hours without the freezes that were over before {@code instant}. */
  public QuietHours since(Instant instant) {
    List<Freeze> left = freezes.stream().filter(freeze -> freeze.until().isAfter(instant)).toList();
    return left.size() == freezes.size() ? this : new QuietHours(name, zone, windows, left, action);
  }
}
