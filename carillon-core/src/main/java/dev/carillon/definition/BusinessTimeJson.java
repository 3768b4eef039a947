package dev.carillon.definition;

import dev.carillon.json.Json;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.HourSpan;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import dev.carillon.time.business.SpecialDay;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How calendars and quiet hours are stored as JSON. What the database holds is trusted. */
public final class BusinessTimeJson {
  private BusinessTimeJson() {}

  /** Write all but the name of a calendar. */
  public static String write(BusinessCalendar calendar) {
    return Json.write(json(calendar));
  }

  private static Map<String, @Nullable Object> json(BusinessCalendar calendar) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    if (!calendar.parts().isEmpty()) {
      json.put("parts", calendar.parts().stream().map(BusinessTimeJson::part).toList());
      return json;
    }
    json.put("zone", calendar.zone().getId());
    json.put("weekend", words(calendar.weekend()));
    put(json, "holidays", texts(calendar.holidays()));
    put(json, "recurringHolidays", texts(calendar.recurringHolidays()));
    put(json, "extraWorkingDays", days(calendar.extraWorkingDays()));
    put(json, "halfDays", days(calendar.halfDays()));
    var hours = new LinkedHashMap<String, @Nullable Object>();
    calendar.hours().forEach((day, spans) -> hours.put(word(day), spans(spans)));
    put(json, "hours", hours);
    calendar.coverageUntil().ifPresent(date -> json.put("coverageUntil", date.toString()));
    return json;
  }

  private static Map<String, @Nullable Object> part(BusinessCalendar calendar) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", calendar.name());
    json.putAll(json(calendar));
    return json;
  }

  private static void put(
      Map<String, @Nullable Object> json, String name, Map<String, @Nullable Object> members) {
    if (!members.isEmpty()) {
      json.put(name, members);
    }
  }

  private static Map<String, @Nullable Object> texts(Map<?, String> names) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    names.forEach((day, name) -> json.put(day.toString(), name));
    return json;
  }

  private static Map<String, @Nullable Object> days(Map<LocalDate, SpecialDay> days) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    days.forEach(
        (date, day) -> {
          var one = new LinkedHashMap<String, @Nullable Object>();
          one.put("name", day.name());
          day.closes().ifPresent(closes -> one.put("closes", closes.toString()));
          if (!day.hours().isEmpty()) {
            one.put("hours", spans(day.hours()));
          }
          json.put(date.toString(), one);
        });
    return json;
  }

  private static List<String> spans(List<HourSpan> spans) {
    return spans.stream().map(HourSpan::toString).toList();
  }

  private static List<String> words(Collection<? extends Enum<?>> constants) {
    return constants.stream().sorted().map(BusinessTimeJson::word).toList();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Read what {@link #write(BusinessCalendar)} wrote. */
  public static BusinessCalendar readCalendar(String name, String json) {
    return calendar(name, Json.readObject(json));
  }

  private static BusinessCalendar calendar(String name, Map<?, ?> json) {
    if (json.get("parts") instanceof List<?> parts) {
      return BusinessCalendar.combined(
          name,
          parts.stream()
              .map(part -> (Map<?, ?>) part)
              .map(part -> calendar(text(part, "name"), part))
              .toList());
    }
    BusinessCalendarBuilder calendar =
        BusinessCalendar.named(name, ZoneId.of(text(json, "zone")))
            .weekend(weekdays(list(json, "weekend")));
    object(json, "holidays")
        .forEach((date, of) -> calendar.holiday(LocalDate.parse((String) date), (String) of));
    object(json, "recurringHolidays")
        .forEach((day, of) -> calendar.holiday(MonthDay.parse((String) day), (String) of));
    object(json, "extraWorkingDays")
        .forEach(
            (date, day) ->
                calendar.extraWorkingDay(LocalDate.parse((String) date), day((Map<?, ?>) day)));
    object(json, "halfDays")
        .forEach(
            (date, day) -> calendar.halfDay(LocalDate.parse((String) date), day((Map<?, ?>) day)));
    object(json, "hours")
        .forEach(
            (day, spans) -> calendar.hours(Set.of(weekday((String) day)), spans((List<?>) spans)));
    optionalText(json, "coverageUntil")
        .ifPresent(date -> calendar.coverageUntil(LocalDate.parse(date)));
    return calendar.build();
  }

  private static SpecialDay day(Map<?, ?> json) {
    List<HourSpan> hours = json.get("hours") instanceof List<?> spans ? spans(spans) : List.of();
    return new SpecialDay(
        text(json, "name"), optionalText(json, "closes").map(LocalTime::parse), hours);
  }

  private static List<HourSpan> spans(Collection<?> texts) {
    return texts.stream().map(text -> HourSpan.parse((String) text)).toList();
  }

  private static Set<DayOfWeek> weekdays(List<?> words) {
    var days = EnumSet.noneOf(DayOfWeek.class);
    words.forEach(word -> days.add(weekday((String) word)));
    return days;
  }

  private static DayOfWeek weekday(String word) {
    return DayOfWeek.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Write all but the name of quiet hours. */
  public static String write(QuietHours hours) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("zone", hours.zone().getId());
    json.put("action", word(hours.action()));
    json.put(
        "windows",
        hours.windows().stream()
            .map(window -> Map.of("days", words(window.days()), "hours", window.hours().toString()))
            .toList());
    json.put(
        "freezes",
        hours.freezes().stream()
            .map(
                freeze ->
                    Map.of(
                        "from", freeze.from().toString(),
                        "until", freeze.until().toString(),
                        "reason", freeze.reason()))
            .toList());
    return Json.write(json);
  }

  /** Read what {@link #write(QuietHours)} wrote. */
  public static QuietHours readQuietHours(String name, String text) {
    Map<?, ?> json = Json.readObject(text);
    var windows = new ArrayList<QuietWindow>();
    for (Object window : list(json, "windows")) {
      Map<?, ?> one = (Map<?, ?>) window;
      windows.add(new QuietWindow(weekdays(list(one, "days")), HourSpan.parse(text(one, "hours"))));
    }
    var freezes = new ArrayList<Freeze>();
    for (Object freeze : list(json, "freezes")) {
      Map<?, ?> one = (Map<?, ?>) freeze;
      freezes.add(
          new Freeze(
              Instant.parse(text(one, "from")),
              Instant.parse(text(one, "until")),
              text(one, "reason")));
    }
    return new QuietHours(
        name,
        ZoneId.of(text(json, "zone")),
        windows,
        freezes,
        QuietAction.valueOf(text(json, "action").toUpperCase(Locale.ROOT)));
  }

  private static String text(Map<?, ?> json, String name) {
    return optionalText(json, name)
        .orElseThrow(() -> new IllegalStateException("'" + name + "' is missing"));
  }

  private static Optional<String> optionalText(Map<?, ?> json, String name) {
    return Optional.ofNullable((String) json.get(name));
  }

  private static List<?> list(Map<?, ?> json, String name) {
    return json.get(name) instanceof List<?> list ? list : List.of();
  }

  private static Map<?, ?> object(Map<?, ?> json, String name) {
    return json.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }
}
