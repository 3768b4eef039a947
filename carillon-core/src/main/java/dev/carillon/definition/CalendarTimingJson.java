package dev.carillon.definition;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessDaysAfter;
import dev.carillon.time.business.CalendarTiming;
import dev.carillon.time.business.MonthlyBusinessDay;
import dev.carillon.time.business.OpenOrClose;
import dev.carillon.time.business.WorkingHoursEdge.Edge;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;

/** How timings that follow a calendar are read and written as JSON. */
public final class CalendarTimingJson {
  /** The word for the last business day of a month. */
  public static final String LAST = "last";

  private static final String BUSINESS_DAY = "businessDay";
  private static final String AFTER = "businessDaysAfter";
  private static final String OFFSET = "offset";
  private static final int ANY = 1_000_000;

  private CalendarTimingJson() {}

  /** Tell whether {@code at} names an end of working hours rather than an instant. */
  public static boolean isEdge(String at) {
    return at.equals("open") || at.equals("close");
  }

  static void write(CalendarTiming timing, JsonMembers json) {
    if (timing instanceof MonthlyBusinessDay monthly) {
      json.add(BUSINESS_DAY, monthly.number()).add("time", monthly.time());
    } else if (timing instanceof BusinessDaysAfter after) {
      json.add(AFTER, after.days()).add("date", after.date()).add("time", after.time());
    } else if (timing instanceof OpenOrClose edge) {
      json.add("at", edge.edge()).add(OFFSET, text(edge.offset()), text(Duration.ZERO));
    }
    json.add("zone", timing.zone().map(ZoneId::getId).orElse(null), null)
        .add("calendar", timing.calendar());
  }

  private static String text(Duration offset) {
    return offset.isNegative() ? "-" + offset.negated() : offset.toString();
  }

  /** Read what the database holds; empty if it is of another kind. */
  static Optional<CalendarTiming> read(StoredFields json) {
    if (json.has(BUSINESS_DAY)) {
      return read(json, BUSINESS_DAY, Zones::of);
    }
    if (json.has(AFTER)) {
      return read(json, AFTER, Zones::of);
    }
    return json.text("at").filter(CalendarTimingJson::isEdge).isPresent()
        ? read(json, "at", Zones::of)
        : Optional.empty();
  }

  /**
   * Read a timing that follows a calendar; empty if a field is missing or wrong, which is reported.
   *
   * @param kind the field that says which: businessDay, businessDaysAfter or at
   * @param zones finds the zone called by a name, or refuses it
   */
  public static Optional<CalendarTiming> read(
      FieldSource json, String kind, Function<String, ZoneId> zones) {
    Optional<String> calendar =
        needed(json, "calendar", "say whose business days, by the name of a calendar");
    Optional<ZoneId> zone =
        json.text("zone").flatMap(name -> json.tried("zone", () -> zones.apply(name)));
    return switch (kind) {
      case BUSINESS_DAY -> monthly(json, calendar, zone);
      case AFTER -> after(json, calendar, zone);
      default -> edge(json, calendar, zone);
    };
  }

  private static Optional<CalendarTiming> monthly(
      FieldSource json, Optional<String> calendar, Optional<ZoneId> zone) {
    Optional<Long> number = json.wholeOr(BUSINESS_DAY, LAST, -1, ANY);
    Optional<LocalTime> time = time(json);
    return both(both(calendar, time), number)
        .flatMap(
            name ->
                json.tried(
                    BUSINESS_DAY,
                    () ->
                        new MonthlyBusinessDay(
                            name,
                            Math.toIntExact(number.orElseThrow()),
                            time.orElseThrow(),
                            zone)));
  }

  private static Optional<CalendarTiming> after(
      FieldSource json, Optional<String> calendar, Optional<ZoneId> zone) {
    Optional<Long> days = json.whole(AFTER, -ANY, ANY);
    Optional<LocalTime> time = time(json);
    Optional<LocalDate> date =
        needed(json, "date", "say after which date, such as 2026-12-01")
            .flatMap(text -> json.tried("date", () -> DateText.date(text)));
    return both(both(both(calendar, time), date), days)
        .flatMap(
            name ->
                json.tried(
                    AFTER,
                    () ->
                        new BusinessDaysAfter(
                            name,
                            Math.toIntExact(days.orElseThrow()),
                            date.orElseThrow(),
                            time.orElseThrow(),
                            zone)));
  }

  private static Optional<CalendarTiming> edge(
      FieldSource json, Optional<String> calendar, Optional<ZoneId> zone) {
    Optional<Edge> edge = json.word("at", Edge.class);
    Optional<Duration> offset = json.duration(OFFSET);
    return both(calendar, edge)
        .flatMap(
            name ->
                json.tried(
                    OFFSET,
                    () ->
                        new OpenOrClose(
                            name, edge.orElseThrow(), offset.orElse(Duration.ZERO), zone)));
  }

  private static Optional<LocalTime> time(FieldSource json) {
    return needed(json, "time", "say at which time of day, such as 09:00")
        .flatMap(text -> json.tried("time", () -> DateText.time(text)));
  }

  private static Optional<String> both(Optional<String> name, Optional<?> other) {
    return other.isPresent() ? name : Optional.empty();
  }

  private static Optional<String> needed(FieldSource json, String name, String why) {
    Optional<String> text = json.text(name).filter(given -> !given.isBlank());
    return text.isPresent()
        ? text
        : json.tried(
            name,
            () -> {
              throw new InvalidValueException(why);
            });
  }
}
