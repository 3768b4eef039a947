package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.RunActivity;
import dev.carillon.model.RunActivity.Lateness;
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
import dev.carillon.store.cluster.ClusterStats;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What runs now and ran in the last minutes, and what is wrong with it.
 *
 * @param stats how the cluster stands
 */
public record ActivityRoutes(Carillon carillon, ClusterStatsCache stats) {
  private static final int DEFAULT_MINUTES = 60;
  private static final int MAX_MINUTES = 180;
  private static final Duration DAY = Duration.ofDays(1);

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/activity", Role.VIEWER, "getActivity")
            .reach(Reach.NOTHING)
            .summary("Tell what runs, ran in the last minutes and how late, and what fails")
            .query(
                QueryParameter.whole(
                    "minutes", 1, MAX_MINUTES, "Of so many minutes; 60 unless said."))
            .answers(200, "Activity", this::activity));
  }

  Reply activity(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    int minutes = parameters.whole("minutes", 1, MAX_MINUTES).orElse(DEFAULT_MINUTES);
    parameters.done();
    Instant now = carillon.clock().instant();
    Instant from = now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(minutes));
    RunActivity activity = carillon.runs().activity(from, now);
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("from", ContractText.of(from));
    body.put("to", ContractText.of(now));
    body.put("completeFrom", ContractText.of(activity.completeFrom()));
    body.put("byMinute", activity.byMinute().stream().map(ActivityRoutes::minute).toList());
    body.put("lateness", lateness(activity.lateness()));
    body.put("dropped", dropped(carillon.schedules().droppedSince(now.minus(DAY))));
    putCluster(body, stats.take());
    return Reply.ok(body);
  }

  private static Map<String, Object> minute(RunCounts<Instant> counts) {
    var runs = new LinkedHashMap<String, Long>();
    for (RunState state : RunState.values()) {
      if (state.isFinal()) {
        runs.put(ContractText.word(state), counts.runs().getOrDefault(state, 0L));
      }
    }
    return Map.of("minute", ContractText.of(counts.of()), "runs", runs);
  }

  private static Map<String, @Nullable Object> lateness(Optional<Lateness> lateness) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("started", lateness.map(Lateness::started).orElse(0L));
    view.put("medianMs", lateness.map(Lateness::median).orElse(null));
    view.put("p99Ms", lateness.map(Lateness::p99).orElse(null));
    view.put("worstMs", lateness.map(Lateness::most).orElse(null));
    view.put("worstRun", lateness.map(Lateness::worst).map(Object::toString).orElse(null));
    return view;
  }

  private static Map<String, Long> dropped(Map<DroppedSlots.Reason, Long> slots) {
    var view = new LinkedHashMap<String, Long>();
    slots.forEach((reason, number) -> view.put(ContractText.word(reason), number));
    return view;
  }

  private static void putCluster(Map<String, @Nullable Object> body, ClusterStats now) {
    body.put("schedules", now.schedules());
    body.put("running", now.runs().getOrDefault("running", 0L));
    body.put("due", now.due());
    body.put("deadLetters", now.deadLetters());
    body.put(
        "failing",
        now.failing().entrySet().stream()
            .map(entry -> Map.of("key", entry.getKey(), "failures", entry.getValue()))
            .toList());
    body.put("problems", now.reasons());
  }
}
