package dev.carillon.time.business;

import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The quiet time of several quiet hours together. */
final class QuietTime {
  /** Quiet times that are closer are one; it leaves room to spread deferred runs. */
  static final Duration SHORTEST_BREAK = Duration.ofMinutes(1);

  private static final Duration WEEK = Duration.ofDays(7);

  /* Periods longer than this are not looked for: then it is as good as always quiet. */
  private static final Duration MAX_SEARCH = Duration.ofDays(800);

  private final List<Source> sources;

  QuietTime(List<QuietHours> all) {
    sources = all.stream().map(Source::new).toList();
  }

  /** Return the quiet period that contains {@code instant}, if one does. */
  Optional<QuietPeriod> covering(Instant instant) {
    for (Source source : sources) {
      Found found = source.at(instant);
      if (found != null) {
        return Optional.of(extended(found, instant));
      }
    }
    return Optional.empty();
  }

  private QuietPeriod extended(Found first, Instant instant) {
    Instant start = first.start;
    Instant end = first.end;
    Instant latest = instant.plus(MAX_SEARCH);
    Instant earliest = instant.minus(MAX_SEARCH);
    boolean grew = true;
    while (grew && end.isBefore(latest) && start.isAfter(earliest)) {
      Instant oldStart = start;
      Instant oldEnd = end;
      for (Source source : sources) {
        for (Found found : source.near(start, end)) {
          if (!found.start.isAfter(end.plus(SHORTEST_BREAK).minusNanos(1))
              && found.end.isAfter(end)
              && !found.end.isBefore(start)) {
            end = found.end;
          }
          if (!found.end.isBefore(start.minus(SHORTEST_BREAK).plusNanos(1))
              && found.start.isBefore(start)
              && !found.start.isAfter(end)) {
            start = found.start;
          }
        }
      }
      grew = !start.equals(oldStart) || !end.equals(oldEnd);
    }
    return new QuietPeriod(start, end, first.reason);
  }

  /** Return the longest period, at most; exceeded only if it is as good as always quiet. */
  Duration longest() {
    Duration longest = longestWeekly();
    for (Source source : sources) {
      for (Freeze freeze : source.hours.freezes()) {
        Duration length =
            covering(freeze.from())
                .map(period -> Duration.between(period.start(), period.end()))
                .orElse(Duration.ZERO);
        longest = length.compareTo(longest) > 0 ? length : longest;
      }
    }
    return longest;
  }

  private Duration longestWeekly() {
    List<Source> weekly = sources.stream().filter(it -> !it.pattern.isEmpty()).toList();
    if (weekly.isEmpty()) {
      return Duration.ZERO;
    }
    ZoneId zone = weekly.get(0).hours.zone();
    boolean sameZone = weekly.stream().allMatch(it -> it.hours.zone().equals(zone));
    var windows = new ArrayList<QuietWindow>();
    weekly.forEach(it -> windows.addAll(it.hours.windows()));
    Duration byTheClock =
        sameZone ? Duration.ofMinutes(new WeeklyPattern(windows).longest()) : WEEK;
    return byTheClock.plus(CalendarRule.ZONE_SLACK);
  }

  /** A stretch that is quiet for one reason. */
  private record Found(Instant start, Instant end, String reason) {}

  /** One of the quiet hours, prepared for questions. */
  private static final class Source {
    private final QuietHours hours;
    private final WeeklyPattern pattern;
    private final ZoneRules rules;

    Source(QuietHours hours) {
      this.hours = hours;
      this.pattern = new WeeklyPattern(hours.windows());
      this.rules = hours.zone().getRules();
    }

    /** Return what is quiet at {@code instant}, if anything is. */
    @Nullable Found at(Instant instant) {
      for (Freeze freeze : hours.freezes()) {
        if (freeze.from().isAfter(instant)) {
          break;
        }
        if (instant.isBefore(freeze.until())) {
          return found(freeze);
        }
      }
      if (pattern.isEmpty() || isSurelyFree(instant)) {
        return null;
      }
      for (Found found : windowsNear(instant)) {
        if (!instant.isBefore(found.start) && instant.isBefore(found.end)) {
          return found;
        }
      }
      return null;
    }

    /* Far from clock changes, the clock alone says whether it is quiet. */
    private boolean isSurelyFree(Instant instant) {
      int offset = rules.getOffset(instant).getTotalSeconds();
      if (offset != rules.getOffset(instant.minus(Duration.ofDays(2))).getTotalSeconds()
          || offset != rules.getOffset(instant.plus(Duration.ofDays(2))).getTotalSeconds()) {
        return false;
      }
      long minute = Math.floorDiv(instant.getEpochSecond() + offset, 60L);
      int sinceMonday = 3 * 24 * 60; // 1970-01-01 was a Thursday
      return !pattern.contains(
          (int) Math.floorMod(minute + sinceMonday, (long) WeeklyPattern.WEEK));
    }

    /** Return what is quiet around {@code start} or {@code end}, or begins soon after. */
    List<Found> near(Instant start, Instant end) {
      var found = new ArrayList<Found>();
      for (Freeze freeze : hours.freezes()) {
        boolean apart =
            freeze.from().isAfter(end.plus(SHORTEST_BREAK))
                || freeze.until().isBefore(start.minus(SHORTEST_BREAK));
        if (!apart) {
          found.add(found(freeze));
        }
      }
      if (!pattern.isEmpty()) {
        found.addAll(windowsNear(start));
        found.addAll(windowsNear(end));
      }
      return found;
    }

    private static Found found(Freeze freeze) {
      String reason = freeze.reason().isEmpty() ? "" : ": " + freeze.reason();
      return new Found(freeze.from(), freeze.until(), "frozen until " + freeze.until() + reason);
    }

    private List<Found> windowsNear(Instant instant) {
      LocalDate date = LocalDateTime.ofInstant(instant, hours.zone()).toLocalDate();
      var found = new ArrayList<Found>();
      for (int later = -2; later <= 1; later++) {
        LocalDate day = date.plusDays(later);
        for (QuietWindow window : hours.windows()) {
          if (window.days().contains(day.getDayOfWeek())) {
            Instant start = instant(day, window.hours().startSecond());
            Instant end = instant(day, window.hours().endSecond());
            if (start.isBefore(end)) {
              found.add(new Found(start, end, window.hours() + " is quiet"));
            }
          }
        }
      }
      return found;
    }

    private Instant instant(LocalDate day, int second) {
      return Zones.instant(day.atStartOfDay().plusSeconds(second), hours.zone());
    }
  }
}
