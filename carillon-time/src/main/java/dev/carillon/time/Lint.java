package dev.carillon.time;

import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessDaysAfter;
import dev.carillon.time.business.BusinessTiming;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Finds what is valid but probably not intended: in the text, in the zone, and on future dates. */
public final class Lint {
  private static final Duration LOOK_AHEAD = Duration.ofDays(2 * 366);

  private Lint() {}

  /** Return the warnings for {@code timing}, looking two years ahead of {@code from}. */
  public static List<Warning> of(Timing timing, Instant from) {
    var found = new ArrayList<>(timing.warnings());
    if (timing instanceof Cron cron) {
      found.addAll(Zones.warnings(cron.zone()));
      if (!cron.firesEveryHour()) { // gaps and overlaps do not affect these
        addClockChanges(found, cron.slots(), cron.zone(), from);
      }
    } else if (timing instanceof EveryPeriod every) {
      found.addAll(Zones.warnings(every.zone()));
      addClockChanges(found, every.slots(), every.zone(), from);
    } else if (timing instanceof BusinessTiming business) {
      found.addAll(Zones.warnings(business.zone()));
      addEndOfCalendar(found, business, from);
    }
    if (timing instanceof CalendarTiming named) {
      named.zone().ifPresent(zone -> found.addAll(Zones.warnings(zone)));
    }
    if (!(timing instanceof BusinessDaysAfter) // the calendar says when it is
        && timing.next(from).isEmpty()) {
      String noSlot = "there is no slot after " + from + ", until the end of 2199";
      found.add(
          new Warning("NEVER_FIRES", timing instanceof Once ? "its time has passed" : noSlot));
    }
    return List.copyOf(found);
  }

  private static void addEndOfCalendar(List<Warning> found, BusinessTiming timing, Instant from) {
    BusinessCalendar calendar = timing.calendar();
    timing
        .next(from)
        .map(slot -> LocalDate.ofInstant(slot, calendar.zone()))
        .filter(date -> !calendar.isCovered(date))
        .ifPresent(
            date ->
                found.add(
                    new Warning(
                        "CALENDAR_ENDS",
                        "the holidays of calendar %s are known until %s, the next slot is on %s; import later ones"
                            .formatted(
                                calendar.name(), calendar.coverageUntil().orElseThrow(), date))));
  }

  private static void addClockChanges(
      List<Warning> found, ZonedSlots slots, ZoneId zone, Instant from) {
    ZoneOffsets zoneOffsets = slots.zoneOffsets();
    int first = zoneOffsets.spanAt(ZoneOffsets.clamp(from.getEpochSecond())) + 1;
    int last =
        zoneOffsets.spanAt(ZoneOffsets.clamp(from.getEpochSecond() + LOOK_AHEAD.toSeconds()));
    int[] gaps =
        spans(
            first,
            last,
            span -> hasSlot(slots, zoneOffsets.localEnd(span - 1), zoneOffsets.localStart(span)));
    if (gaps.length > 0) {
      long missing = slots.slots().atOrAfter(zoneOffsets.localEnd(gaps[0] - 1));
      String instead =
          slots.firesAfterGap()
              ? "fires at "
                  + LocalDateTime.ofEpochSecond(zoneOffsets.localStart(gaps[0]), 0, ZoneOffset.UTC)
                      .toLocalTime()
                  + " instead"
              : "does not fire";
      found.add(new Warning("DST_GAP", message(missing, "does not exist", zone, instead, gaps)));
    }
    int[] overlaps =
        spans(
            first,
            last,
            span -> hasSlot(slots, zoneOffsets.localStart(span), zoneOffsets.localEnd(span - 1)));
    if (overlaps.length > 0) {
      long repeated = slots.slots().atOrAfter(zoneOffsets.localStart(overlaps[0]));
      String which = slots.firstPassOnly() ? "fires the first time only" : "fires both times";
      found.add(
          new Warning("DST_OVERLAP", message(repeated, "occurs twice", zone, which, overlaps)));
    }
  }

  private static int[] spans(int first, int last, IntPredicate affected) {
    return IntStream.rangeClosed(first, last).filter(affected).toArray();
  }

  private static boolean hasSlot(ZonedSlots slots, long from, long to) {
    return slots.slots().count(from, to) > 0;
  }

  private static String message(long local, String what, ZoneId zone, String effect, int[] spans) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    String more = spans.length == 1 ? "" : "; " + (spans.length - 1) + " more in two years";
    return "%s %s on %s in %s: %s%s"
        .formatted(time.toLocalTime(), what, time.toLocalDate(), zone, effect, more);
  }
}
