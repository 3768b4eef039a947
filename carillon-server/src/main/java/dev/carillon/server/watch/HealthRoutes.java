package dev.carillon.server.watch;

import dev.carillon.Version;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.time.Zones;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the scheduler does its work, and if not, why not.
 *
 * @param stats how the cluster stands
 * @param nodeProblems what is wrong with this node itself
 */
public record HealthRoutes(ClusterStatsCache stats, Supplier<List<String>> nodeProblems) {
  private static final List<String> STATUSES = List.of("active", "paused", "completed", "retired");

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/health", Role.VIEWER, "getHealth")
            .reach(Reach.NOTHING)
            .summary("Return whether the scheduler does its work, and if not, why not")
            .answers(200, "Health")
            .withoutDatabase()
            .answers(503, "Health", this::health),
        Route.get("/api/v1/status", Role.VIEWER, "getStatus")
            .reach(Reach.NOTHING)
            .summary(
                "Count schedules, runs, dead letters and nodes; tell what is wrong, if anything")
            .answers(200, "Status", this::status));
  }

  Reply health(Request request) {
    Checked checked = check();
    return reply(checked.reasons(), checked.stats());
  }

  Reply status(Request request) {
    Checked checked = check();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("status", checked.reasons().isEmpty() ? "healthy" : "unhealthy");
    body.put("reasons", checked.reasons());
    body.put("schedules", checked.stats().map(HealthRoutes::schedules).orElse(null));
    body.put("numbers", checked.stats().map(ClusterStats::numbers).orElse(null));
    body.put("deadLetters", checked.stats().map(ClusterStats::deadLetters).orElse(null));
    body.put("version", Version.current());
    body.put("timeZones", Zones.version());
    return Reply.ok(body);
  }

  private static Map<String, Long> schedules(ClusterStats stats) {
    var schedules = new LinkedHashMap<String, Long>();
    for (String status : STATUSES) {
      schedules.put(status, stats.schedules().getOrDefault(status, 0L));
    }
    return schedules;
  }

  /**
   * What was found.
   *
   * @param reasons a sentence for each problem
   * @param stats how the cluster stands, if the database tells
   */
  private record Checked(List<String> reasons, Optional<ClusterStats> stats) {}

  private Checked check() {
    var reasons = new LinkedHashSet<String>();
    Optional<ClusterStats> taken = Optional.empty();
    try {
      reasons.addAll(nodeProblems.get());
      taken = Optional.of(stats.take());
      reasons.addAll(taken.get().reasons());
    } catch (DatabaseUnavailableException e) {
      reasons.add(String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      reasons.add("the database cannot be asked: " + e.getMessage());
    }
    return new Checked(List.copyOf(reasons), taken);
  }

  private static Reply reply(List<String> reasons, Optional<ClusterStats> taken) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("status", reasons.isEmpty() ? "healthy" : "unhealthy");
    body.put("reasons", reasons);
    body.put("numbers", taken.map(ClusterStats::numbers).orElse(null));
    return Reply.json(reasons.isEmpty() ? 200 : 503, body);
  }
}
