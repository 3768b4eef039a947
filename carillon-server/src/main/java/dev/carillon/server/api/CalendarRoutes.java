package dev.carillon.server.api;

import dev.carillon.Calendars;
import dev.carillon.Carillon;
import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.DateText;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.DayChange;
import dev.carillon.model.DeleteResult;
import dev.carillon.model.SaveResult;
import dev.carillon.model.Scope;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.Day;
import dev.carillon.time.business.Ics;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The {@code /calendars} resource: business days and working hours. */
record CalendarRoutes(Carillon carillon) {
  static final String ALL = Api.ROOT + "/calendars";
  static final String ONE = ALL + "/{name}";
  static final QueryParameter REASON =
      QueryParameter.text("reason", "Why, as its versions and the audit keep it.");
  static final QueryParameter DRY_RUN =
      QueryParameter.flag("dryRun", "Only tell what would change.");
  private static final int LATEST = Integer.MAX_VALUE;
  private static final int MAX_DIGITS = 9;
  private static final int YEARS_COMPARED = 2;

  List<Route> routes() {
    return List.of(
        Route.get(ALL, Role.VIEWER, "listCalendars")
            .reach(Reach.ALL)
            .summary("List calendars by name, without their days")
            .paged()
            .answers(200, "CalendarPage", this::list),
        Route.get(ONE, Role.VIEWER, "getCalendar")
            .reach(Reach.ALL)
            .summary("Get a calendar")
            .answers(200, "Calendar", this::get),
        Route.put(ONE, Role.EDITOR, "putCalendar")
            .reach(Reach.NOTHING)
            .summary("Save a calendar, as a new version if it says something else")
            .query(DRY_RUN)
            .query(REASON)
            .takes("CalendarDefinition")
            .answers(200, "CalendarOrDryRun")
            .answers(201, "Calendar", this::put),
        Route.delete(ONE, Role.EDITOR, "deleteCalendar")
            .reach(Reach.NOTHING)
            .summary("Delete a calendar that nothing uses")
            .query(DRY_RUN)
            .answers(200, "DeletionDryRun")
            .answers(204, "", this::delete),
        Route.get(ONE + "/days", Role.VIEWER, "listCalendarDays")
            .reach(Reach.ALL)
            .summary("Tell what each day of a period is, and why; of three years at most")
            .query(QueryParameter.format("from", "date", "The first date; today unless said."))
            .query(
                QueryParameter.format(
                    "to", "date", "The first date after it; a year later unless said."))
            .answers(200, "CalendarDays", this::days),
        Route.get(ONE + "/users", Role.VIEWER, "listCalendarUsers")
            .reach(Reach.NOTHING)
            .summary("Tell which schedules and calendars use a calendar")
            .query(
                QueryParameter.whole(
                    "limit", 1, Calendars.MAX_USERS, "Name so many schedules; 50 unless said."))
            .answers(200, "Users", this::users),
        Route.get(ONE + "/ics", Role.VIEWER, "getCalendarIcs")
            .reach(Reach.ALL)
            .summary("Get the holidays of a calendar as iCalendar")
            .as("text/calendar")
            .answers(200, "CalendarIcs", this::ics),
        Route.get(ONE + "/versions", Role.VIEWER, "listCalendarVersions")
            .reach(Reach.ALL)
            .summary("List the versions of a calendar, newest first, without their days")
            .paged()
            .answers(200, "CalendarPage", this::versions),
        Route.get(ONE + "/versions/{version}", Role.VIEWER, "getCalendarVersion")
            .reach(Reach.ALL)
            .summary("Get a version that a calendar has or had")
            .answers(200, "Calendar", this::version),
        Route.get(ONE + "/versions/{version}/diff", Role.VIEWER, "diffCalendarVersions")
            .reach(Reach.ALL)
            .summary("Tell what differs between two versions of a calendar")
            .query(
                QueryParameter.whole(
                    "to", 1, LATEST, "Compare with this one; the current unless said."))
            .answers(200, "CalendarDiff", this::diff));
  }

  private Calendars calendars(Request request) {
    return carillon.calendars().as(request.caller().name());
  }

  Reply list(Request request) {
    return PagedLists.reply(
        PagedLists.ask(QueryParameters.of(request), carillon.calendars()::page),
        CalendarView::listed);
  }

  Reply get(Request request) {
    return shown(200, known(request), view -> {});
  }

  private CalendarVersion known(Request request) {
    String name = request.part("name");
    return carillon.calendars().get(name).orElseThrow(() -> NotFound.calendar(name));
  }

  private BusinessCalendar resolved(Request request) {
    String name = request.part("name");
    return carillon.calendars().resolve(name).orElseThrow(() -> NotFound.calendar(name));
  }

  private Reply shown(
      int status, CalendarVersion version, Consumer<Map<String, @Nullable Object>> more) {
    Map<String, @Nullable Object> view = CalendarView.whole(version);
    view.put(
        "warnings",
        carillon
            .calendars()
            .resolve(version.name())
            .map(calendar -> CalendarView.warnings(calendar, carillon.clock().instant()))
            .orElse(List.of()));
    more.accept(view);
    return Reply.json(status, view).header("ETag", CalendarView.etag(version.version()));
  }

  Reply put(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    String reason = parameters.text("reason").orElse("");
    parameters.done();
    JsonFields fields = JsonFields.of(request);
    CalendarDefinition definition = read(request.part("name"), fields);
    Precondition precondition = Precondition.of(request);
    if (dryRun) {
      return fields.doing("combines", () -> tried(definition, precondition));
    }
    return fields.doing(
        "combines", () -> saved(calendars(request), definition, reason, precondition));
  }

  private CalendarDefinition read(String name, JsonFields fields) {
    fields
        .text("name")
        .filter(said -> !said.equals(name))
        .ifPresent(said -> fields.error("name", "must be as in the path, '" + name + "'"));
    Optional<CalendarDefinition> definition = CalendarJson.read(name, fields);
    definition
        .flatMap(CalendarDefinition::own)
        .ifPresent(own -> fields.tried("zone", () -> carillon.allowedZones().check(own.zone())));
    fields.done();
    return definition.orElseThrow();
  }

  /** Save a calendar as a request wants it, and answer with what there is then. */
  Reply saved(
      Calendars calendars,
      CalendarDefinition definition,
      String reason,
      Precondition precondition) {
    Optional<Integer> expected = precondition.expected();
    if (precondition.present()
        && expected.isEmpty()
        && calendars.get(definition.name()).isEmpty()) {
      return Precondition.failed("There is no such calendar.");
    }
    SaveResult<CalendarVersion> result =
        expected
            .map(
                version ->
                    calendars
                        .save(definition, reason, version)
                        .filter(done -> done.change() != SaveResult.Change.STALE)
                        .orElseThrow(CalendarRoutes::changed))
            .orElseGet(() -> calendars.save(definition, reason));
    return shown(
        result.change() == SaveResult.Change.CREATED ? 201 : 200,
        result.current(),
        view -> RuleChangeView.add(view, result.shift(), result.replan()));
  }

  private static ProblemException changed() {
    return new ProblemException(
        ProblemKind.CHANGED_MEANWHILE,
        "The calendar is not as If-Match or If-None-Match says. Read it again first.");
  }

  private Reply tried(CalendarDefinition definition, Precondition precondition) {
    Calendars calendars = carillon.calendars();
    Optional<CalendarVersion> before = calendars.get(definition.name());
    if (precondition.forbids(before.map(found -> CalendarView.etag(found.version())))) {
      throw changed();
    }
    BusinessCalendar after = calendars.check(definition);
    LocalDate today = today(after);
    List<DayChange> days =
        calendars
            .resolve(definition.name())
            .map(now -> Calendars.daysChanged(now, after, today, today.plusYears(YEARS_COMPARED)))
            .orElse(List.of());
    var changes =
        before.map(found -> Calendars.diff(found.definition(), definition)).orElse(List.of());
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("dryRun", true);
    view.put("result", before.isEmpty() ? "created" : changes.isEmpty() ? "unchanged" : "changed");
    view.put("changes", changes.stream().map(CalendarView::change).toList());
    view.put("days", days.stream().map(day -> CalendarView.change(day, after)).toList());
    view.put("daysFrom", today.toString());
    view.put("daysTo", today.plusYears(YEARS_COMPARED).toString());
    view.put("businessDaysGained", moved(days, true));
    view.put("businessDaysLost", moved(days, false));
    view.put("users", CalendarView.users(calendars.users(definition.name(), Scope.ALL, 10)));
    RuleChangeView.add(view, calendars.dryRun(definition).shift());
    view.put("warnings", CalendarView.warnings(after, carillon.clock().instant()));
    return Precondition.tagged(Reply.ok(view), before.map(CalendarVersion::version));
  }

  private static long moved(List<DayChange> days, boolean gained) {
    return days.stream().filter(day -> day.isMoved() && day.after().isBusiness() == gained).count();
  }

  private LocalDate today(BusinessCalendar calendar) {
    return LocalDate.ofInstant(carillon.clock().instant(), calendar.zone());
  }

  Reply delete(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean dryRun = parameters.flag("dryRun");
    parameters.done();
    String name = request.part("name");
    Calendars calendars = calendars(request);
    Optional<Integer> expected = Precondition.of(request).version();
    if (dryRun) {
      int version = known(request).version();
      if (expected.filter(wanted -> wanted != version).isPresent()) {
        throw changed();
      }
      return CalendarView.deletion(calendars.deleteDryRun(name));
    }
    DeleteResult result =
        expected
            .map(version -> calendars.delete(name, version))
            .orElseGet(() -> calendars.delete(name));
    return switch (result.outcome()) {
      case DELETED -> Reply.done();
      case UNKNOWN -> throw NotFound.calendar(name);
      case STALE -> throw changed();
      case IN_USE ->
          throw new ProblemException(
              ProblemKind.CALENDAR_IN_USE, CalendarView.inUse(result.users()));
    };
  }

  Reply days(Request request) {
    BusinessCalendar calendar = resolved(request);
    QueryParameters parameters = QueryParameters.of(request);
    LocalDate from = parameters.read("from", DateText::date).orElseGet(() -> today(calendar));
    LocalDate to = parameters.read("to", DateText::date).orElseGet(() -> from.plusYears(1));
    parameters.done();
    List<Day> days = parameters.doing("to", () -> Calendars.days(calendar, from, to));
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", calendar.name());
    view.put("zone", calendar.zone().getId());
    view.put("from", from.toString());
    view.put("to", to.toString());
    view.put("businessDays", days.stream().filter(Day::isBusiness).count());
    view.put("days", days.stream().map(day -> CalendarView.day(calendar, day)).toList());
    view.put("warnings", CalendarView.warnings(calendar, carillon.clock().instant()));
    return Reply.ok(view);
  }

  Reply users(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    int limit = parameters.limit();
    parameters.done();
    CalendarVersion known = known(request);
    return Reply.ok(CalendarView.users(carillon.calendars().users(known.name(), Scope.ALL, limit)));
  }

  Reply ics(Request request) {
    return Reply.text("text/calendar", Ics.write(resolved(request), known(request).created().at()));
  }

  Reply versions(Request request) {
    return PagedLists.reply(
        PagedLists.ask(
            QueryParameters.of(request),
            (after, limit) -> carillon.calendars().versions(known(request).name(), after, limit)),
        CalendarView::listed);
  }

  Reply version(Request request) {
    CalendarVersion found = find(known(request).name(), number(request));
    Map<String, @Nullable Object> view = CalendarView.whole(found);
    view.put("warnings", List.of());
    return Reply.ok(view);
  }

  Reply diff(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Optional<Integer> to = parameters.whole("to", 1, LATEST);
    parameters.done();
    CalendarVersion now = known(request);
    CalendarVersion before = find(now.name(), number(request));
    CalendarVersion after = to.map(version -> find(now.name(), version)).orElse(now);
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", now.name());
    view.put("from", before.version());
    view.put("to", after.version());
    view.put(
        "changes",
        Calendars.diff(before.definition(), after.definition()).stream()
            .map(CalendarView::change)
            .toList());
    return Reply.ok(view);
  }

  private CalendarVersion find(String name, int version) {
    return carillon
        .calendars()
        .version(name, version)
        .orElseThrow(() -> NotFound.calendarVersion(name));
  }

  private static int number(Request request) {
    String text = request.part("version");
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && !text.isEmpty() && text.length() <= MAX_DIGITS ? Integer.parseInt(text) : 0;
  }
}
