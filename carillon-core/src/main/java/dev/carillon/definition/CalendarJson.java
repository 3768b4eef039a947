package dev.carillon.definition;

import dev.carillon.json.Json;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.HourSpan;
import dev.carillon.time.business.SpecialDay;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a calendar is read and written as JSON, in the database as in the REST contract. */
public final class CalendarJson {
  /** The most holidays on single dates. */
  public static final int MAX_HOLIDAYS = 5_000;

  private static final int MAX_SPECIAL_DAYS = 2_000;
  private static final int MAX_RECURRING = 366;
  private static final int MAX_SPANS = 12;
  private static final int MAX_PARTS = 16;
  private static final int MAX_WEEKEND = 7;
  private static final Set<DayOfWeek> WEEKEND =
      Set.copyOf(EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY));

  private CalendarJson() {}

  /** Read what the database holds of the calendar called {@code name}. */
  public static CalendarDefinition stored(String name, String json) {
    return read(name, new StoredFields(Json.readObject(json))).orElseThrow();
  }

  /** Read the calendar called {@code name}; empty if something is wrong and was reported. */
  public static Optional<CalendarDefinition> read(String name, FieldSource json) {
    String description =
        json.text("description")
            .flatMap(text -> json.tried("description", () -> FieldLimits.description(text)))
            .orElse("");
    Optional<List<String>> combines = json.texts("combines", MAX_PARTS);
    if (combines.isPresent()) {
      return combination(name, json, combines.get()).map(it -> it.describedAs(description));
    }
    Optional<ZoneId> zone =
        json.text("zone").flatMap(text -> json.tried("zone", () -> Zones.of(text)));
    if (zone.isEmpty()) {
      if (json.text("zone").isEmpty()) {
        refuse(
            json,
            "zone",
            "say in which time zone its days and hours are, such as Europe/Rome; or which"
                + " calendars it combines");
      }
    }
    var calendar = BusinessCalendar.named(name, zone.orElse(Zones.of("UTC")));
    readDays(json, calendar);
    return zone.flatMap(known -> blamed(json, "zone", calendar::build))
        .map(built -> CalendarDefinition.of(built).describedAs(description));
  }

  private static Optional<CalendarDefinition> combination(
      String name, FieldSource json, List<String> combines) {
    for (String field : List.of("zone", "weekend", "hours", "coverageUntil")) {
      if (isSaid(json, field)) {
        refuse(json, field, "a calendar that combines others has none of its own; leave it out");
      }
    }
    for (String field : List.of("holidays", "recurringHolidays", "extraWorkingDays", "halfDays")) {
      if (json.objects(field, 0).filter(days -> !days.isEmpty()).isPresent()) {
        refuse(json, field, "put them into a calendar of their own, and combine that too");
      }
    }
    return json.tried(
        "combines",
        () -> {
          if (combines.isEmpty()) {
            throw new InvalidValueException("name at least one calendar to combine");
          }
          if (new HashSet<>(combines).size() < combines.size()) {
            throw new InvalidValueException("name each calendar once");
          }
          return new CalendarDefinition(
              name,
              Optional.empty(),
              combines.stream().map(part -> FieldLimits.name("a calendar", part)).toList(),
              "");
        });
  }

  private static boolean isSaid(FieldSource json, String field) {
    return switch (field) {
      case "weekend" -> json.texts(field, MAX_WEEKEND).isPresent();
      case "hours" -> json.object(field).isPresent();
      default -> json.text(field).isPresent();
    };
  }

  private static void readDays(FieldSource json, BusinessCalendarBuilder calendar) {
    json.texts("weekend", MAX_WEEKEND)
        .flatMap(days -> json.tried("weekend", () -> days.stream().map(DateText::weekday).toList()))
        .ifPresent(calendar::weekend);
    json.object("hours").ifPresent(hours -> readHours(hours, calendar));
    var dates = new HashSet<LocalDate>();
    each(
        json,
        "holidays",
        MAX_HOLIDAYS,
        day -> {
          String called = name(day);
          dated(day, dates).ifPresent(date -> calendar.holiday(date, called));
        });
    var days = new HashSet<MonthDay>();
    each(
        json,
        "recurringHolidays",
        MAX_RECURRING,
        day -> {
          String called = name(day);
          required(day, "day", "say on which day, such as 12-25", DateText::day)
              .filter(date -> isFirst(day, "day", date, days))
              .ifPresent(date -> calendar.holiday(date, called));
        });
    readSpecialDays(json, "extraWorkingDays", calendar::extraWorkingDay);
    readSpecialDays(json, "halfDays", calendar::halfDay);
    json.text("coverageUntil")
        .flatMap(text -> json.tried("coverageUntil", () -> DateText.date(text)))
        .ifPresent(calendar::coverageUntil);
  }

  private static void readHours(FieldSource hours, BusinessCalendarBuilder calendar) {
    for (DayOfWeek day : DayOfWeek.values()) {
      String name = DateText.of(day);
      readSpans(hours, name).ifPresent(spans -> calendar.hours(List.of(day), spans));
    }
  }

  static Optional<List<HourSpan>> readSpans(FieldSource json, String name) {
    return json.texts(name, MAX_SPANS)
        .flatMap(spans -> json.tried(name, () -> spans.stream().map(HourSpan::parse).toList()));
  }

  private static void readSpecialDays(
      FieldSource json, String field, BiConsumer<LocalDate, SpecialDay> add) {
    var dates = new HashSet<LocalDate>();
    each(
        json,
        field,
        MAX_SPECIAL_DAYS,
        day -> {
          Optional<LocalDate> date = dated(day, dates);
          var special =
              new SpecialDay(
                  name(day),
                  day.text("closes")
                      .flatMap(text -> day.tried("closes", () -> DateText.time(text))),
                  readSpans(day, "hours").orElse(List.of()));
          date.ifPresent(known -> add.accept(known, special));
        });
  }

  private static void each(FieldSource json, String field, int most, Consumer<FieldSource> reader) {
    json.objects(field, most).ifPresent(days -> days.forEach(reader));
  }

  private static Optional<LocalDate> dated(FieldSource day, Set<LocalDate> known) {
    return required(day, "date", "say on which date, such as 2026-12-25", DateText::date)
        .filter(date -> isFirst(day, "date", date, known));
  }

  /* Read also where the date is wrong: what was not read is reported as not known. */
  private static String name(FieldSource day) {
    return day.text("name").orElse("");
  }

  private static <T> Optional<T> required(
      FieldSource json, String field, String why, Function<String, T> parser) {
    Optional<String> text = json.text(field);
    if (text.isEmpty()) {
      refuse(json, field, why);
    }
    return text.flatMap(given -> json.tried(field, () -> parser.apply(given)));
  }

  private static <T> boolean isFirst(FieldSource json, String field, T day, Set<T> known) {
    if (!known.add(day)) {
      refuse(json, field, day + " is listed twice; give it once");
      return false;
    }
    return true;
  }

  static void refuse(FieldSource json, String field, String message) {
    json.tried(
        field,
        () -> {
          throw new InvalidValueException(message);
        });
  }

  /* Reports what work refuses at the field that it names. */
  static <T> Optional<T> blamed(FieldSource json, String otherwise, Supplier<T> work) {
    try {
      return Optional.of(work.get());
    } catch (InvalidValueException e) {
      return json.tried(
          e.field().orElse(otherwise),
          () -> {
            throw e;
          });
    }
  }

  /** Return it as the database holds it. */
  public static String stored(CalendarDefinition definition) {
    return Json.write(write(definition, JsonStyle.COMPACT));
  }

  /** Write what a calendar says, without its name. */
  public static Map<String, @Nullable Object> write(
      CalendarDefinition definition, JsonStyle style) {
    var json = new JsonMembers(style);
    json.add("description", definition.description(), "");
    if (definition.own().isEmpty()) {
      return json.add("combines", definition.combines()).json();
    }
    BusinessCalendar own = definition.own().get();
    return json.add("zone", own.zone().getId())
        .add("weekend", days(own.weekend()), days(WEEKEND))
        .add("hours", hours(own), Map.of())
        .add(
            "holidays",
            own.holidays().entrySet().stream()
                .map(day -> named("date", day.getKey().toString(), day.getValue()))
                .toList(),
            List.of())
        .add(
            "recurringHolidays",
            own.recurringHolidays().entrySet().stream()
                .map(day -> named("day", DateText.of(day.getKey()), day.getValue()))
                .toList(),
            List.of())
        .add("extraWorkingDays", special(own.extraWorkingDays()), List.of())
        .add("halfDays", special(own.halfDays()), List.of())
        .add("coverageUntil", own.coverageUntil().orElse(null), null)
        .json();
  }

  static List<String> days(Set<DayOfWeek> days) {
    return days.stream().sorted().map(DateText::of).toList();
  }

  private static Map<String, Object> hours(BusinessCalendar calendar) {
    var hours = new LinkedHashMap<String, Object>();
    calendar.hours().forEach((day, spans) -> hours.put(DateText.of(day), texts(spans)));
    return hours;
  }

  private static List<String> texts(List<HourSpan> spans) {
    return spans.stream().map(HourSpan::toString).toList();
  }

  private static Map<String, Object> named(String field, String day, String name) {
    var json = new LinkedHashMap<String, Object>();
    json.put(field, day);
    if (!name.isEmpty()) {
      json.put("name", name);
    }
    return json;
  }

  private static List<Map<String, Object>> special(SortedMap<LocalDate, SpecialDay> days) {
    return days.entrySet().stream()
        .map(
            day -> {
              Map<String, Object> json =
                  named("date", day.getKey().toString(), day.getValue().name());
              day.getValue().closes().ifPresent(at -> json.put("closes", at.toString()));
              if (!day.getValue().hours().isEmpty()) {
                json.put("hours", texts(day.getValue().hours()));
              }
              return json;
            })
        .toList();
  }
}
