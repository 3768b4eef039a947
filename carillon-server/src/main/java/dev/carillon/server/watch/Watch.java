package dev.carillon.server.watch;

import dev.carillon.Carillon;
import dev.carillon.server.web.Route;
import dev.carillon.store.Database;
import java.util.List;
import java.util.stream.Stream;

/** All that is offered to those who watch a server. */
public final class Watch implements AutoCloseable {
  private final EventStream stream;
  private final MetricsRoutes metrics;
  private final List<Route> routes;

  /** Watch the cluster that {@code carillon} is a node of, with what {@code figures} counts. */
  public Watch(Carillon carillon, Database database, DatabaseWatch availability, Figures figures) {
    var pulse = new Pulse(carillon, database, availability);
    metrics = new MetricsRoutes(figures, pulse);
    stream = new EventStream(carillon, database).start();
    routes =
        Stream.of(
                metrics.routes(),
                new HealthRoutes(pulse, carillon::ailments).routes(),
                new EventRoutes(stream).routes())
            .flatMap(List::stream)
            .toList();
  }

  /** Return the routes. */
  public List<Route> routes() {
    return routes;
  }

  /** Return the routes of a listener that asks nobody to sign in. */
  public List<Route> openRoutes() {
    return metrics.openRoutes();
  }

  /** End all streams of events. Safe to call twice. */
  @Override
  public void close() {
    stream.close();
  }
}
