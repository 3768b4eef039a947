package dev.carillon.server.api;

import dev.carillon.Calendars;
import dev.carillon.Carillon;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.SaveResult;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.Ics;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds holidays to calendars: of a country, as they are known now, or from an iCalendar file. */
record CalendarImportRoutes(Carillon carillon) {
  private static final String ICS = "text/calendar";
  private static final int MAX_YEARS = 50;
  private static final int MAX_TRIES = 10;

  List<Route> routes() {
    return List.of(
        Route.post(CalendarRoutes.ONE + "/import", Role.EDITOR, "importHolidays")
            .reach(Reach.NOTHING)
            .summary(
                "Add the holidays of a country and of years, or those of an iCalendar file, to a"
                    + " calendar, which is made if there is none")
            .query(
                QueryParameter.flag(
                    "replace", "Remove the holidays that it has in these years first."))
            .query(QueryParameter.text("zone", "The time zone, if the calendar is new."))
            .query(CalendarRoutes.DRY_RUN)
            .query(CalendarRoutes.REASON)
            .takes("HolidayImport")
            .alsoTakes(ICS)
            .answers(200, "CalendarImport")
            .answers(
                201,
                "CalendarImport",
                request -> new CalendarImportRoutes(Api.in(request, carillon)).imported(request)),
        Route.get(Api.ROOT + "/holiday-countries", Role.VIEWER, "listHolidayCountries")
            .reach(Reach.ALL)
            .summary("List the countries whose holidays can be imported, with their regions")
            .withoutDatabase()
            .answers(200, "HolidayCountries", request -> countries()));
  }

  private static Reply countries() {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put(
        "countries",
        HolidaySource.countries().stream()
            .map(
                code ->
                    Map.of(
                        "country",
                        code,
                        "name",
                        HolidaySource.name(code),
                        "regions",
                        List.copyOf(HolidaySource.regions(code))))
            .toList());
    return Reply.ok(view);
  }

  Reply imported(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    boolean replace = parameters.flag("replace");
    boolean dryRun = parameters.flag("dryRun");
    String reason = parameters.text("reason").orElse("");
    Optional<ZoneId> zone = parameters.read("zone", text -> carillon.allowedZones().named(text));
    parameters.done();
    Precondition precondition = Precondition.of(request);
    String name = request.part("name");
    Calendars calendars = carillon.calendars().as(request.caller().name());
    HolidayImport holidays = request.isOf(ICS) ? ofFile(request) : ofCountry(request);
    String why = reason.isEmpty() ? holidays.source() : reason;
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      Optional<CalendarVersion> before = calendars.get(name);
      if (precondition.forbids(before.map(found -> CalendarView.etag(found.version())))) {
        break;
      }
      HolidayCoverage coverage =
          holidays.coverage(
              before.flatMap(found -> found.definition().coverageUntil()),
              LocalDate.ofInstant(carillon.clock().instant(), ZoneOffset.UTC));
      CalendarDefinition after = merged(name, before, zone, replace, holidays, coverage);
      List<String> notes =
          Stream.of(
                  holidays.notes().stream(),
                  coverage.note().stream(),
                  before.flatMap(found -> holidays.otherWeekend(found.definition())).stream())
              .flatMap(all -> all)
              .toList();
      if (dryRun) {
        Map<String, @Nullable Object> view = view(before, after, holidays, notes, Optional.empty());
        RuleChangeView.add(view, calendars.dryRun(after).shift());
        return Precondition.tagged(Reply.ok(view), before.map(CalendarVersion::version));
      }
      Optional<SaveResult<CalendarVersion>> saved =
          calendars
              .save(after, why, before.map(CalendarVersion::version).orElse(0))
              .filter(done -> done.change() != SaveResult.Change.STALE);
      if (saved.isPresent()) {
        SaveResult<CalendarVersion> done = saved.get();
        Map<String, @Nullable Object> view =
            view(before, after, holidays, notes, Optional.of(done.current()));
        RuleChangeView.add(view, done.shift(), done.replan());
        return Precondition.tagged(
            Reply.json(before.isEmpty() ? 201 : 200, view), Optional.of(done.current().version()));
      }
    }
    return Precondition.failed("The calendar has changed meanwhile.");
  }

  /* Nothing is saved in a dry run. */
  private static Map<String, @Nullable Object> view(
      Optional<CalendarVersion> before,
      CalendarDefinition after,
      HolidayImport holidays,
      List<String> notes,
      Optional<CalendarVersion> saved) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("name", after.name());
    view.put("dryRun", saved.isEmpty());
    view.put("source", holidays.source());
    view.put("holidays", holidays.holidays().size() + holidays.recurring().size());
    view.put("ignored", holidays.ignored());
    view.put("notes", notes);
    view.put(
        "changes",
        before.map(found -> Calendars.diff(found.definition(), after)).orElse(List.of()).stream()
            .map(CalendarView::change)
            .toList());
    view.put("coverageUntil", after.coverageUntil().map(LocalDate::toString).orElse(null));
    view.put("version", saved.map(CalendarVersion::version).orElse(null));
    return view;
  }

  private static CalendarDefinition merged(
      String name,
      Optional<CalendarVersion> before,
      Optional<ZoneId> zone,
      boolean replace,
      HolidayImport holidays,
      HolidayCoverage coverage) {
    if (before.filter(found -> found.definition().own().isEmpty()).isPresent()) {
      throw new InvalidValueException(
          "calendar '%s' combines others; import into one of those".formatted(name));
    }
    if (before.isEmpty() && zone.isEmpty()) {
      throw new ProblemException(
          ProblemKind.INVALID_PARAMETER,
          List.of(
              FieldError.in(
                  "zone",
                  "calendar '%s' is new; say in which time zone its days are, such as zone=Europe/Rome"
                      .formatted(name))));
    }
    return holidays.into(name, before.map(CalendarVersion::definition), zone, replace, coverage);
  }

  private static HolidayImport ofFile(Request request) {
    try {
      return HolidayImport.of(
          Ics.read(
              StandardCharsets.UTF_8
                  .newDecoder()
                  .decode(ByteBuffer.wrap(request.body()))
                  .toString()));
    } catch (CharacterCodingException e) {
      throw new ProblemException(ProblemKind.MALFORMED_REQUEST, "The file is not UTF-8.");
    }
  }

  private static HolidayImport ofCountry(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> file = fields.text("ics");
    if (file.isPresent()) {
      fields.done();
      return fields.doing("ics", () -> HolidayImport.of(Ics.read(file.get())));
    }
    Optional<String> country =
        fields.needed("country", "say of which country, such as DE; or send a file as ics");
    Optional<String> region = fields.text("region");
    fields.require("years", "say of which years, such as [2027, 2028]");
    SortedSet<Integer> years = years(fields);
    fields.done();
    return fields.doing(
        "country", () -> HolidaySource.holidays(country.orElseThrow(), region, years));
  }

  private static SortedSet<Integer> years(JsonFields fields) {
    var years = new TreeSet<Integer>();
    fields
        .wholes("years", MAX_YEARS, 1970, 2199)
        .ifPresent(all -> all.forEach(year -> years.add(Math.toIntExact(year))));
    if (fields.fine() && years.isEmpty()) {
      fields.error("years", "name at least one year");
    }
    return years;
  }
}
