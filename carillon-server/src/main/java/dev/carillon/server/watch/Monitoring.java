package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.server.web.Route;
import dev.carillon.store.jdbc.Database;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The routes by which a server is monitored, and what is behind them. */
public final class Monitoring implements AutoCloseable {
  private final EventStream stream;
  private final MetricsRoutes metrics;
  private final List<Route> routes;

  /**
   * Watch the cluster that {@code carillon} is a node of, with what {@code nodeMetrics} counts.
   *
   * @param targetProblems returns what is wrong with targets on this node
   */
  public Monitoring(
      Carillon carillon,
      Database database,
      DatabaseMonitor availability,
      NodeMetrics nodeMetrics,
      Supplier<List<String>> targetProblems) {
    var stats = new ClusterStatsCache(carillon, database, availability);
    metrics = new MetricsRoutes(nodeMetrics, stats);
    stream = new EventStream(carillon, database).start();
    routes =
        Stream.of(
                metrics.routes(),
                new ActivityRoutes(carillon, stats).routes(),
                new HealthRoutes(
                        stats,
                        () ->
                            Stream.concat(
                                    problems(carillon, availability).stream(),
                                    targetProblems.get().stream())
                                .toList())
                    .routes(),
                new EventRoutes(stream).routes())
            .flatMap(List::stream)
            .toList();
  }

  /* While the database does not answer at all, asking it says so. */
  private static List<String> problems(Carillon carillon, DatabaseMonitor availability) {
    return Stream.concat(
            carillon.nodeProblems().stream(),
            availability.outage().filter(outage -> outage.trouble().answers()).stream()
                .map(DatabaseMonitor.Outage::text))
        .toList();
  }

  /** Return the routes. */
  public List<Route> routes() {
    return routes;
  }

  /** Return the routes of a listener without sign-in. */
  public List<Route> openRoutes() {
    return metrics.openRoutes();
  }

  /** End all streams of events. Safe to call twice. */
  @Override
  public void close() {
    stream.close();
  }
}
