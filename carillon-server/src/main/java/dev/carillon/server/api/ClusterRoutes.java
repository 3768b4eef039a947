package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Runs;
import dev.carillon.model.RunCounts;
import dev.carillon.model.RunState;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The resources {@code /me} and {@code /stats}: the caller, and figures of the cluster. */
record ClusterRoutes(Carillon carillon) {
  private static final Duration DEFAULT_PERIOD = Duration.ofDays(1);
  private static final Duration MAX_PERIOD = Duration.ofDays(31);

  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/me", Role.VIEWER, "getMe")
            .reach(Reach.ALL)
            .summary("Tell who is asking, and what they may do")
            .answers(200, "Me", this::me),
        Route.get(Api.ROOT + "/stats", Role.VIEWER, "getStats")
            .reach(Reach.NOTHING)
            .summary("Count runs that are over by state, hour and target; tell the time zone rules")
            .query(
                QueryParameter.format(
                    "from", "date-time", "From this hour on; a day ago unless said."))
            .query(QueryParameter.format("to", "date-time", "Until then; now unless said."))
            .answers(200, "Stats", this::stats));
  }

  Reply me(Request request) {
    var me = new LinkedHashMap<String, @Nullable Object>();
    me.put("name", request.caller().name());
    me.put("role", request.caller().role().word());
    me.put("signedInBy", request.caller().means());
    me.put("scope", TokenRoutes.scopeView(request.caller().scope()));
    return Reply.ok(me);
  }

  Reply stats(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    Instant to = parameters.instant("to").orElseGet(() -> carillon.clock().instant());
    Instant from = parameters.instant("from").orElse(to.minus(DEFAULT_PERIOD));
    Duration period = Duration.between(from, to);
    if (period.isNegative() || period.compareTo(MAX_PERIOD) > 0) {
      parameters.error(
          "from", "must be before 'to', by at most %s days".formatted(MAX_PERIOD.toDays()));
    }
    parameters.done();
    Runs runs = Reachable.runs(carillon, request);
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("from", ContractText.of(from));
    body.put("to", ContractText.of(to));
    body.put("runs", counts(runs.counts(from, to)));
    body.put(
        "byHour",
        runs.countsByHour(from, to).stream()
            .map(counts -> view("hour", counts, ContractText::of))
            .toList());
    body.put(
        "byTarget",
        runs.countsByTarget(from, to).stream()
            .map(counts -> view("target", counts, label -> label))
            .toList());
    body.put("timeZones", Zones.version());
    return Reply.ok(body);
  }

  private static <T> Map<String, @Nullable Object> view(
      String name, RunCounts<T> counts, Function<T, String> text) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put(name, text.apply(counts.of()));
    view.put("runs", counts(counts.runs()));
    return view;
  }

  private static Map<String, Long> counts(Map<RunState, Long> runs) {
    var counts = new LinkedHashMap<String, Long>();
    for (RunState state : RunState.values()) {
      if (state.isFinal()) {
        counts.put(ContractText.word(state), runs.getOrDefault(state, 0L));
      }
    }
    return counts;
  }
}
