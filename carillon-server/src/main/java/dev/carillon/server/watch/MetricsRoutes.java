package dev.carillon.server.watch;

import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The figures as Prometheus reads them. */
public final class MetricsRoutes {
  private final PrometheusRegistry registry;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  /** Tell what is in {@code registry}, and the pulse of the cluster with it. */
  public MetricsRoutes(PrometheusRegistry registry, Pulse pulse) {
    this.registry = registry;
    registry.register(new Gauges(pulse));
  }

  /** Return the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/metrics", Role.VIEWER, "getMetrics")
            .summary("Tell the figures, as Prometheus reads them")
            .as("text/plain")
            .answers(200, "Metrics")
            .by(this::metrics));
  }

  Reply metrics(Request request) {
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
