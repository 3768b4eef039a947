package dev.carillon.server.api;

import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.FieldChange;
import dev.carillon.definition.JsonStyle;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.DayChange;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.Users;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.web.Reply;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Day;
import dev.carillon.time.business.HourSpan;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calendars as JSON. */
final class CalendarView {
  private CalendarView() {}

  static Map<String, @Nullable Object> whole(CalendarVersion version) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", version.name());
    view.put("version", version.version());
    view.putAll(CalendarJson.write(version.definition(), JsonStyle.FULL));
    changed(view, version);
    return view;
  }

  static Map<String, @Nullable Object> listed(CalendarVersion version) {
    CalendarDefinition definition = version.definition();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", version.name());
    view.put("version", version.version());
    view.put("description", definition.description());
    view.put("zone", definition.own().map(own -> own.zone().getId()).orElse(null));
    view.put("combines", definition.combines());
    view.put("holidays", definition.own().map(own -> own.holidays().size()).orElse(0));
    view.put("coverageUntil", definition.coverageUntil().map(LocalDate::toString).orElse(null));
    changed(view, version);
    return view;
  }

  private static void changed(Map<String, @Nullable Object> view, CalendarVersion version) {
    view.put("reason", version.reason());
    view.put("updatedAt", ContractText.of(version.created().at()));
    view.put("updatedBy", version.created().by());
  }

  static String etag(int version) {
    return "\"" + version + "\"";
  }

  static Map<String, @Nullable Object> day(BusinessCalendar calendar, Day day) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("date", day.date().toString());
    view.put("business", day.isBusiness());
    view.put("kind", ContractText.word(day.kind()));
    view.put("name", day.name());
    view.put(
        "hours",
        calendar.hasHours()
            ? calendar.hoursOn(day.date()).stream().map(HourSpan::toString).toList()
            : List.of());
    view.put("because", day.because());
    return view;
  }

  /**
   * Tell what a day becomes in {@code after}: another kind of day, or the same with other hours.
   */
  static Map<String, @Nullable Object> change(DayChange change, BusinessCalendar after) {
    boolean sameKind = change.before().kind() == change.after().kind();
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("date", change.date().toString());
    view.put("from", ContractText.word(change.before().kind()));
    view.put("to", ContractText.word(change.after().kind()));
    view.put(
        "because",
        sameKind
            ? "its working hours are " + hours(after, change.date())
            : change.after().because());
    return view;
  }

  private static String hours(BusinessCalendar calendar, LocalDate date) {
    return calendar.hoursOn(date).stream()
        .map(HourSpan::toString)
        .collect(Collectors.joining(" and "));
  }

  static Map<String, @Nullable Object> change(FieldChange change) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("field", change.field());
    view.put("from", change.from());
    view.put("to", change.to());
    return view;
  }

  static Map<String, @Nullable Object> users(Users users) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("schedules", users.schedules());
    view.put("firstSchedules", users.firstSchedules());
    view.put("calendars", users.calendars());
    return view;
  }

  /** Tell what a deletion would do to something that exists. */
  static Reply deletion(DeleteResult result) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", true);
    view.put("result", result.outcome() == DeleteResult.Outcome.IN_USE ? "in_use" : "deleted");
    view.put("users", users(result.users()));
    RuleChangeView.add(view, result.shift());
    return Reply.ok(view);
  }

  /** Say who uses something, such as {@code 12 schedules use it: a, b and 10 more.} */
  static String inUse(Users users) {
    var text = new StringBuilder();
    if (users.schedules() > 0) {
      long more = users.schedules() - users.firstSchedules().size();
      text.append(
              users.schedules() == 1
                  ? "1 schedule uses it: "
                  : users.schedules() + " schedules use it: ")
          .append(String.join(", ", users.firstSchedules()))
          .append(more > 0 ? " and " + more + " more." : ".");
    }
    if (!users.calendars().isEmpty()) {
      text.append(text.isEmpty() ? "" : " ")
          .append("It is combined by: ")
          .append(String.join(", ", users.calendars()))
          .append(".");
    }
    return text.toString();
  }

  /** Return a warning if the holidays are known for less than so many days. */
  static List<Map<String, String>> warnings(BusinessCalendar calendar, Instant now) {
    LocalDate today = now.atOffset(ZoneOffset.UTC).toLocalDate();
    Optional<LocalDate> until =
        calendar
            .coverageUntil()
            .filter(end -> ChronoUnit.DAYS.between(today, end) < ClusterStats.COVERAGE_DAYS);
    return until
        .map(
            end ->
                Map.of(
                    "code",
                    "coverage_ends",
                    "message",
                    "its holidays are known until %s only; import the years after that, or set its coverageUntil"
                        .formatted(end)))
        .map(List::of)
        .orElse(List.of());
  }
}
