package dev.carillon.server.watch;

import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.jdbc.StoreException;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics as Prometheus reads them. */
public final class MetricsRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsRoutes.class);

  private final PrometheusRegistry registry;
  private final ClusterStatsCache stats;
  private final RunsByTiming timings;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  /** Answer with what {@code nodeMetrics} counts, and with the gauges of the cluster. */
  MetricsRoutes(NodeMetrics nodeMetrics, ClusterStatsCache stats) {
    this.registry = nodeMetrics.registry();
    this.stats = stats;
    this.timings = nodeMetrics.timings();
    registry.register(new ClusterGauges(stats));
  }

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(route(Role.VIEWER));
  }

  /** Return the routes of a listener without sign-in. */
  public List<Route> openRoutes() {
    return List.of(route(Role.OPEN));
  }

  private Route route(Role role) {
    return Route.get("/metrics", role, "getMetrics")
        .reach(Reach.NOTHING)
        .summary("Get the metrics, as Prometheus reads them")
        .as("text/plain")
        .withoutDatabase()
        .answers(200, "Metrics", this::metrics);
  }

  Reply metrics(Request request) {
    try {
      timings.sort(stats::timings);
    } catch (StoreException e) {
      LOG.debug("the timings of schedules could not be read: {}", e.getMessage());
    }
    var text = new ByteArrayOutputStream();
    try {
      writer.write(text, registry.scrape(), EscapingScheme.ALLOW_UTF8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Reply.text(
        PrometheusTextFormatWriter.CONTENT_TYPE, text.toString(StandardCharsets.UTF_8));
  }
}
