package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Schedules;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.TimingFire;
import dev.carillon.policy.CalendarPolicy;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.Cron;
import dev.carillon.time.Fire;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Lint;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Timings without schedules: what they mean and when they fire. */
record TimingRoutes(Carillon carillon, TimingForm form) {
  private static final int DEFAULT_COUNT = 5;
  private static final int MAX_COUNT = 100;

  List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/timings/explain", Role.VIEWER, "explainTiming")
            .reach(Reach.ALL)
            .summary("Say in words when a timing fires, and what is odd about it; stores nothing")
            .takes("TimingQuestion")
            .repeatable()
            .answers(200, "TimingAnswer", this::explain));
  }

  Reply explain(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<Instant> from = fields.instant("from");
    int count = fields.whole("count", 1, MAX_COUNT).map(Math::toIntExact).orElse(DEFAULT_COUNT);
    ZoneId zone = fields.has("zone") ? form.zone(fields, "zone", TimingForm.UTC) : TimingForm.UTC;
    Instant now = carillon.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    fields.require("timing", "say which timing, such as {\"cron\": \"0 2 * * *\"}");
    Optional<JsonFields> given = fields.object("timing");
    Optional<Timing> timing = given.flatMap(one -> timing(one, zone, now));
    Optional<CalendarPolicy> calendar = DefinitionFields.CALENDAR.read(fields);
    Optional<String> quietHours = DefinitionFields.QUIET_HOURS.read(fields);
    fields.done();
    var definition = new Definition.Builder("", timing.orElseThrow());
    definition.calendar = calendar;
    definition.quietHours = quietHours;
    Schedules schedules = Reachable.schedules(carillon, request);
    try {
      List<TimingFire> fires = schedules.judge(definition.build(), zone, from.orElse(now), count);
      return Reply.ok(explained(schedules.zoned(timing.get()), from.orElse(now), fires));
    } catch (InvalidValueException e) {
      String message = String.valueOf(e.getMessage());
      switch (e.field().orElse("")) {
        case "timing/calendar" -> given.orElseThrow().error("calendar", message);
        case "quietHours" -> fields.error("quietHours", message);
        default -> fields.error("calendar", message);
      }
      fields.done();
      throw e;
    }
  }

  private Optional<Timing> timing(JsonFields fields, ZoneId zone, Instant now) {
    List<String> given = TimingForm.KINDS.stream().filter(fields::has).toList();
    if (given.size() != 1) {
      fields.error(TimingForm.oneKind(given));
      return Optional.empty();
    }
    return switch (given.get(0)) {
      case "cron" -> form.cron(fields, "", zone);
      case "every" -> form.every(fields, zone);
      case "at" -> form.at(fields);
      case "businessDay", "businessDaysAfter" -> form.byCalendar(fields, given.get(0));
      default -> {
        ZoneId place = fields.has("zone") ? form.delayZone(fields) : zone;
        yield fields
            .amount("in")
            .flatMap(
                delay -> fields.tried("in", () -> new Once(TimingForm.after(now, delay, place))));
      }
    };
  }

  private static Map<String, @Nullable Object> explained(
      Timing timing, Instant from, List<TimingFire> fires) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("description", timing.describe());
    body.put("resolved", timing instanceof Cron cron ? cron.resolved() : null);
    body.put("fires", fires.stream().map(TimingRoutes::fire).toList());
    body.put(
        "warnings",
        Lint.of(timing, from).stream()
            .map(warning -> Map.of("code", warning.code(), "message", warning.message()))
            .toList());
    return body;
  }

  private static Map<String, @Nullable Object> fire(TimingFire judged) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    Fire fire = judged.fire();
    view.put("slot", ContractText.of(fire.slot()));
    view.put("local", ContractText.of(fire.local().toLocalDateTime()));
    view.put("note", fire.note().orElse(null));
    view.put("dueAt", RunView.written(judged.dueAt()));
    view.put("moves", judged.moves().stream().map(MoveView::of).toList());
    view.put("obstacle", judged.obstacle().orElse(null));
    return view;
  }
}
