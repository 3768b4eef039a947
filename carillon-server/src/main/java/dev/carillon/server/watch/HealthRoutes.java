package dev.carillon.server.watch;

import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.store.jdbc.StoreException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
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
  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/health", Role.VIEWER, "getHealth")
            .reach(Reach.NOTHING)
            .summary("Return whether the scheduler does its work, and if not, why not")
            .answers(200, "Health")
            .withoutDatabase()
            .answers(503, "Health", this::health));
  }

  Reply health(Request request) {
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
    return reply(List.copyOf(reasons), taken);
  }

  private static Reply reply(List<String> reasons, Optional<ClusterStats> taken) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("status", reasons.isEmpty() ? "healthy" : "unhealthy");
    body.put("reasons", reasons);
    body.put("numbers", taken.map(ClusterStats::numbers).orElse(null));
    return Reply.json(reasons.isEmpty() ? 200 : 503, body);
  }
}
