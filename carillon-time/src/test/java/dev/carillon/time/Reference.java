package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Cron by brute force: the dialect written down a second time, as slowly and plainly as possible.
 *
 * <p>It reads valid expressions only, and none with {@code H}; it looks at every local date and, on
 * those that match, at every minute or second of the day, and asks {@link ZoneRules} what became of
 * that local time.
 */
final class Reference {
  private static final Map<String, String> MACROS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private final Set<Integer> seconds;
  private final Set<Integer> minutes;
  private final Set<Integer> hours;
  private final ReferenceDays days;
  private final ZoneRules rules;
  private final boolean fireAfterGap;
  private final boolean bothPasses;

  Reference(String expression, ZoneId zone) {
    this(expression, zone, DstGap.FIRE_AFTER, DstOverlap.AUTO);
  }

  Reference(String expression, ZoneId zone, DstGap gap, DstOverlap overlap) {
    String trimmed = expression.strip();
    String[] fields = MACROS.getOrDefault(trimmed, trimmed).split("[ \t]+", -1);
    int first = fields.length == 5 ? -1 : 0;
    String second = fields.length == 5 ? "0" : fields[0];
    String minute = fields[first + 1];
    String hour = fields[first + 2];
    seconds = ReferenceField.SECOND.values(second);
    minutes = ReferenceField.MINUTE.values(minute);
    hours = ReferenceField.HOUR.values(hour);
    days =
        new ReferenceDays(
            fields[first + 3],
            fields[first + 4],
            fields[first + 5],
            fields.length == 7 ? fields[6] : "*");
    rules = zone.getRules();
    fireAfterGap = gap == DstGap.FIRE_AFTER && hours.size() < 24;
    bothPasses =
        switch (overlap) {
          case AUTO -> (second + minute + hour).contains("*");
          case FIRST -> false;
          case BOTH -> true;
        };
  }

  /** Return all slots later than {@code after} and not later than {@code through}, in order. */
  List<Instant> between(Instant after, Instant through) {
    Set<Instant> slots = new TreeSet<>();
    // A day more on either side: the local date is never further from that of UTC.
    LocalDate last = LocalDate.ofInstant(through, ZoneOffset.UTC).plusDays(1);
    LocalDate date = LocalDate.ofInstant(after, ZoneOffset.UTC).minusDays(1);
    for (; !date.isAfter(last); date = date.plusDays(1)) {
      if (days.contain(date)) {
        addSlotsOf(date, slots);
      }
    }
    return slots.stream().filter(slot -> slot.isAfter(after) && !slot.isAfter(through)).toList();
  }

  /** Say whether any date from 2020 to 2031 matches. */
  boolean firesInOurDays() {
    return Stream.iterate(YearMonth.of(2020, 1), month -> month.plusMonths(1))
        .limit(144)
        .anyMatch(days::containAnyOf);
  }

  /** Return how many times of day match. */
  int slotsPerDay() {
    return hours.size() * minutes.size() * seconds.size();
  }

  /** Walk the clock through the day: second by second, or minute by minute where that will do. */
  private void addSlotsOf(LocalDate date, Set<Instant> slots) {
    int step = seconds.size() == 1 ? 60 : 1;
    int first = seconds.size() == 1 ? seconds.iterator().next() : 0;
    for (int time = first; time < 86_400; time += step) {
      if (hours.contains(time / 3600)
          && minutes.contains(time / 60 % 60)
          && seconds.contains(time % 60)) {
        addSlots(date.atTime(LocalTime.ofSecondOfDay(time)), slots);
      }
    }
  }

  private void addSlots(LocalDateTime local, Set<Instant> slots) {
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.isEmpty()) {
      if (fireAfterGap) {
        slots.add(rules.getTransition(local).getInstant());
      }
    } else {
      slots.add(local.toInstant(offsets.get(0)));
      if (bothPasses) {
        slots.add(local.toInstant(offsets.get(offsets.size() - 1)));
      }
    }
  }
}
