package dev.carillon.definition;

import dev.carillon.json.Json;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.time.Zones;
import dev.carillon.time.business.Freeze;
import dev.carillon.time.business.HourSpan;
import dev.carillon.time.business.QuietAction;
import dev.carillon.time.business.QuietHours;
import dev.carillon.time.business.QuietWindow;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How quiet hours are read and written as JSON, in the database as in the REST contract. */
public final class QuietHoursJson {
  private static final int MAX_WINDOWS = 100;
  private static final int MAX_FREEZES = 1_000;
  private static final int MAX_DAYS = 7;
  private static final int MAX_REASON = 500;
  private static final ZoneId UTC = Zones.of("UTC");

  private QuietHoursJson() {}

  /** Read what the database holds of the quiet hours called {@code name}. */
  public static QuietHoursDefinition stored(String name, String json) {
    return read(name, new StoredFields(Json.readObject(json))).orElseThrow();
  }

  /** Read the quiet hours called {@code name}; empty if something is wrong and was reported. */
  public static Optional<QuietHoursDefinition> read(String name, FieldSource json) {
    String description =
        json.text("description")
            .flatMap(text -> json.tried("description", () -> FieldLimits.description(text)))
            .orElse("");
    Optional<String> zoneText = json.text("zone");
    Optional<ZoneId> zone = zoneText.flatMap(text -> json.tried("zone", () -> Zones.of(text)));
    List<QuietWindow> windows = readWindows(json);
    if (zoneText.isEmpty() && !windows.isEmpty()) {
      CalendarJson.refuse(
          json, "zone", "say in which time zone the windows are, such as Europe/Rome");
    }
    List<Freeze> freezes = readFreezes(json);
    Optional<QuietAction> action = json.word("action", QuietAction.class);
    if (json.text("action").isEmpty()) {
      CalendarJson.refuse(
          json, "action", "say what becomes of runs then: skip, defer, or coalesce");
    }
    List<String> tags =
        json.texts("tags", FieldLimits.MAX_TAGS)
            .flatMap(given -> json.tried("tags", () -> FieldLimits.tags(given)))
            .orElse(List.of());
    boolean everything = json.flag("everything").orElse(false);
    return action.flatMap(
        known ->
            CalendarJson.blamed(
                json,
                "windows",
                () ->
                    new QuietHoursDefinition(
                        new QuietHours(name, zone.orElse(UTC), windows, freezes, known),
                        tags,
                        everything,
                        description)));
  }

  private static List<QuietWindow> readWindows(FieldSource json) {
    var windows = new ArrayList<QuietWindow>();
    json.objects("windows", MAX_WINDOWS)
        .ifPresent(all -> all.forEach(window -> readWindow(window).ifPresent(windows::add)));
    return windows;
  }

  private static Optional<QuietWindow> readWindow(FieldSource json) {
    Optional<String> text = json.text("hours");
    if (text.isEmpty()) {
      CalendarJson.refuse(json, "hours", "say which hours are quiet, such as 22:00-07:00");
    }
    Optional<HourSpan> hours =
        text.flatMap(given -> json.tried("hours", () -> HourSpan.parse(given)));
    Optional<List<String>> named = json.texts("days", MAX_DAYS);
    Optional<Set<DayOfWeek>> days =
        named.isEmpty()
            ? Optional.of(EnumSet.allOf(DayOfWeek.class))
            : json.tried("days", () -> weekdays(named.get()));
    return days.flatMap(
        on -> hours.flatMap(span -> json.tried("hours", () -> new QuietWindow(on, span))));
  }

  private static Set<DayOfWeek> weekdays(List<String> names) {
    var days = EnumSet.noneOf(DayOfWeek.class);
    names.forEach(name -> days.add(DateText.weekday(name)));
    return days;
  }

  private static List<Freeze> readFreezes(FieldSource json) {
    var freezes = new ArrayList<Freeze>();
    json.objects("freezes", MAX_FREEZES)
        .ifPresent(all -> all.forEach(freeze -> readFreeze(freeze).ifPresent(freezes::add)));
    return freezes;
  }

  private static Optional<Freeze> readFreeze(FieldSource json) {
    Optional<Instant> from = instant(json, "from");
    Optional<Instant> until = instant(json, "until");
    Optional<String> reason =
        json.text("reason")
            .filter(
                text -> {
                  boolean fits = text.length() <= MAX_REASON;
                  if (!fits) {
                    CalendarJson.refuse(
                        json, "reason", "has at most %s characters".formatted(MAX_REASON));
                  }
                  return fits;
                });
    return from.flatMap(
        begin ->
            until.flatMap(
                end -> json.tried("until", () -> new Freeze(begin, end, reason.orElse("")))));
  }

  private static Optional<Instant> instant(FieldSource json, String field) {
    if (json.text(field).isEmpty()) {
      CalendarJson.refuse(json, field, "say when, such as 2026-12-24T18:00:00Z");
    }
    return json.instant(field)
        .flatMap(at -> json.tried(field, () -> FieldLimits.instant("a freeze", at)));
  }

  /** Return them as the database holds them. */
  public static String stored(QuietHoursDefinition definition) {
    return Json.write(write(definition, JsonStyle.COMPACT));
  }

  /** Write what quiet hours say, without their name. */
  public static Map<String, @Nullable Object> write(
      QuietHoursDefinition definition, JsonStyle style) {
    QuietHours hours = definition.hours();
    return new JsonMembers(style)
        .add("description", definition.description(), "")
        .add("zone", hours.zone().getId(), hours.windows().isEmpty() ? "UTC" : "")
        .add("windows", hours.windows().stream().map(QuietHoursJson::write).toList(), List.of())
        .add("freezes", hours.freezes().stream().map(QuietHoursJson::write).toList(), List.of())
        .add("action", hours.action())
        .add("tags", definition.tags(), List.of())
        .add("everything", definition.everything(), false)
        .json();
  }

  private static Map<String, Object> write(QuietWindow window) {
    var json = new LinkedHashMap<String, Object>();
    json.put("days", CalendarJson.days(window.days()));
    json.put("hours", window.hours().toString());
    return json;
  }

  private static Map<String, Object> write(Freeze freeze) {
    var json = new LinkedHashMap<String, Object>();
    json.put("from", freeze.from().toString());
    json.put("until", freeze.until().toString());
    json.put("reason", freeze.reason());
    return json;
  }
}
