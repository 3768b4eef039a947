package dev.carillon.time.business;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The quiet time of several quiet hours together, from 1970 to 2199. */
final class QuietTime {
  private static final Duration MAX_LENGTH = Duration.ofDays(800);

  /* As some break is left every week, except if the clocks skip it. */
  private static final Duration TWO_WEEKS = Duration.ofDays(14);
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  private final List<QuietStretches> sources;
  private final Duration longest;

  /* The period found last: slots come in order, many of them in the same. A benign race. */
  private volatile QuietPeriod last = new QuietPeriod(Instant.MIN, Instant.MIN, "");

  QuietTime(List<QuietHours> all) {
    sources = all.stream().map(QuietStretches::new).toList();
    longest = findLongest(all);
  }

  /** Return the quiet period that contains {@code instant}, if one does. */
  Optional<QuietPeriod> covering(Instant instant) {
    return containing(instant).map(found -> extended(found, instant));
  }

  /** Return what is quiet at {@code instant}, without what adjoins or overlaps. */
  Optional<QuietPeriod> containing(Instant instant) {
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      return Optional.empty();
    }
    for (QuietStretches source : sources) {
      Optional<QuietPeriod> found = source.containing(instant);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private QuietPeriod extended(QuietPeriod first, Instant instant) {
    QuietPeriod known = last;
    if (!instant.isBefore(known.start()) && instant.isBefore(known.end())) {
      return new QuietPeriod(known.start(), known.end(), first.reason());
    }
    Instant latest = instant.plus(longest);
    Instant end = first.end();
    for (Instant later = endFrom(end);
        later.isAfter(end) && end.isBefore(latest);
        later = endFrom(end)) {
      end = later;
    }
    Instant earliest = instant.minus(longest);
    Instant start = first.start();
    for (Instant earlier = startFrom(start);
        earlier.isBefore(start) && start.isAfter(earliest);
        earlier = startFrom(start)) {
      start = earlier;
    }
    var period = new QuietPeriod(start, end, first.reason());
    if (Duration.between(start, end).compareTo(longest) <= 0) {
      last = period;
    }
    return period;
  }

  private Instant endFrom(Instant instant) {
    Instant end = instant;
    for (QuietStretches source : sources) {
      for (QuietPeriod stretch : source.near(instant)) {
        if (!stretch.start().isAfter(instant) && stretch.end().isAfter(end)) {
          end = stretch.end();
        }
      }
    }
    return end;
  }

  private Instant startFrom(Instant instant) {
    Instant start = instant;
    for (QuietStretches source : sources) {
      for (QuietPeriod stretch : source.near(instant)) {
        if (!stretch.end().isBefore(instant) && stretch.start().isBefore(start)) {
          start = stretch.start();
        }
      }
    }
    return start;
  }

  /** Return the time from {@code end}, which is not quiet, to what is quiet next, up to a limit. */
  Duration breakAfter(Instant end, Duration limit) {
    Duration shortest = limit;
    for (QuietStretches source : sources) {
      for (QuietPeriod stretch : source.near(end)) {
        Duration free = Duration.between(end, stretch.start());
        if (!free.isNegative() && free.compareTo(shortest) < 0) {
          shortest = free;
        }
      }
    }
    return shortest;
  }

  /**
   * Return how long a period is at most. Longer ones are as good as always quiet, and are not
   * followed to their ends.
   */
  Duration longest() {
    return longest;
  }

  /* Freezes may be joined by the windows between them, and have some before and after. */
  private static Duration findLongest(List<QuietHours> all) {
    Duration weekly = longestWeekly(all);
    Duration longest = weekly;
    List<Freeze> freezes =
        all.stream()
            .flatMap(hours -> hours.freezes().stream())
            .sorted(Comparator.comparing(Freeze::from))
            .toList();
    Instant start = Instant.MIN;
    Instant end = Instant.MIN;
    for (Freeze freeze : freezes) {
      boolean apart = freeze.from().isAfter(end.plus(weekly));
      start = apart ? freeze.from() : start;
      end = apart || freeze.until().isAfter(end) ? freeze.until() : end;
      Duration length = Duration.between(start, end).plus(weekly).plus(weekly);
      longest = length.compareTo(longest) > 0 ? length : longest;
    }
    return longest.compareTo(MAX_LENGTH) > 0 ? MAX_LENGTH : longest;
  }

  private static Duration longestWeekly(List<QuietHours> all) {
    List<QuietHours> weekly = all.stream().filter(hours -> !hours.windows().isEmpty()).toList();
    if (weekly.isEmpty()) {
      return Duration.ZERO;
    }
    Duration spread =
        weekly.stream()
            .map(hours -> ZoneChanges.of(hours.zone()).spread())
            .max(Comparator.naturalOrder())
            .get();
    List<QuietWindow> windows = weekly.stream().flatMap(it -> it.windows().stream()).toList();
    boolean sameZone = weekly.stream().map(QuietHours::zone).distinct().count() == 1;
    return sameZone
        ? Duration.ofMinutes(new WeeklyPattern(windows).longest((int) spread.toMinutes()))
            .plus(spread)
        : TWO_WEEKS;
  }
}
