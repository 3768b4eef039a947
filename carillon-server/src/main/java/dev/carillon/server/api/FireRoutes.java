package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.RunCounts;
import dev.carillon.model.Schedule;
import dev.carillon.model.SlotOutcome;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The slots of a schedule: what became of past ones, and what will of those to come. */
record FireRoutes(Carillon carillon) {
  private static final Duration DEFAULT_PERIOD = Duration.ofDays(30);
  private static final Duration YEAR = Duration.ofDays(366);

  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/schedules/{key}/fires", Role.VIEWER, "listFires")
            .reach(Reach.SCOPE)
            .summary("List slots: what happened at past ones, and what will at those to come")
            .query(
                QueryParameter.format("from", "date-time", "From this slot on; now unless said."))
            .query(
                QueryParameter.format(
                    "to", "date-time", "Up to this slot; 30 days on unless said."))
            .query(QueryParameter.whole("limit", 1, 500, "At most so many; 50 unless said."))
            .answers(200, "FirePage", this::list),
        Route.get(Api.ROOT + "/schedules/{key}/days", Role.VIEWER, "countRunsByDay")
            .reach(Reach.SCOPE)
            .summary("Count the runs of a schedule by day, on the clock of its timing, and state")
            .query(
                QueryParameter.format(
                    "from", "date-time", "From this slot on; a year ago unless said."))
            .query(QueryParameter.format("to", "date-time", "Up to this slot; now unless said."))
            .answers(200, "RunDays", this::days));
  }

  Reply days(Request request) {
    String key = request.part("key");
    QueryParameters parameters = QueryParameters.of(request);
    Instant to = parameters.instant("to").orElseGet(() -> carillon.clock().instant());
    Instant from = parameters.instant("from").orElse(to.minus(YEAR));
    parameters.checkPeriod(from, to);
    parameters.done();
    Schedule schedule =
        Reachable.schedules(carillon, request).get(key).orElseThrow(() -> NotFound.schedule(key));
    ZoneId zone = schedule.definition().zone();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("zone", zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId());
    body.put(
        "items",
        Reachable.runs(carillon, request).countsByDay(key, from, to, zone).stream()
            .map(FireRoutes::day)
            .toList());
    return Reply.ok(body);
  }

  private static Map<String, @Nullable Object> day(RunCounts<LocalDate> counts) {
    var runs = new LinkedHashMap<String, Long>();
    counts.runs().forEach((state, number) -> runs.put(ContractText.word(state), number));
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("day", counts.of().toString());
    view.put("runs", runs);
    return view;
  }

  Reply list(Request request) {
    String key = request.part("key");
    QueryParameters parameters = QueryParameters.of(request);
    Instant from = parameters.instant("from").orElseGet(() -> carillon.clock().instant());
    Instant usual =
        from.isBefore(TimingForm.END.minus(DEFAULT_PERIOD))
            ? from.plus(DEFAULT_PERIOD)
            : TimingForm.END;
    Instant to = parameters.instant("to").orElse(usual);
    int limit = parameters.limit();
    parameters.checkPeriod(from, to);
    parameters.done();
    List<SlotOutcome> fires =
        Reachable.schedules(carillon, request)
            .fires(key, from, to, limit)
            .orElseThrow(() -> NotFound.schedule(key));
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("items", fires.stream().map(FireRoutes::view).toList());
    body.put("nextCursor", null);
    return Reply.ok(body);
  }

  static Map<String, @Nullable Object> view(SlotOutcome slotOutcome) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("slot", ContractText.of(slotOutcome.slot()));
    view.put("dueAt", ContractText.of(slotOutcome.dueAt()));
    view.put("local", ContractText.of(slotOutcome.local()));
    view.put("decision", ContractText.word(slotOutcome.decision()));
    view.put("reason", slotOutcome.reason().orElse(null));
    view.put("run", slotOutcome.run().map(Object::toString).orElse(null));
    return view;
  }
}
