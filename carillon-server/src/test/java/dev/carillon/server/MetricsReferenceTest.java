package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page about metrics says what there is. */
@ExtendWith(EmbeddedPostgres.class)
class MetricsReferenceTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `(carillon_[a-z_]+)` \\| ([a-z]+) \\|", Pattern.MULTILINE);

  @Test
  void every_metric_is_documented_with_its_type_and_no_other(
      DataSource source, PostgresServer postgres) throws IOException {
    var database =
        DatabaseUrl.parse(
            "postgresql://%s:%s@127.0.0.1:%s/postgres"
                .formatted(postgres.user(), postgres.password(), postgres.port()));
    try (var site = new Site(source);
        var pool = ConnectionPool.open(database)) {
      pool.measure(site.registry);
      List<String> documented =
          ROW.matcher(Files.readString(Path.of("../docs/reference/metrics.md")))
              .results()
              .map(row -> row.group(1) + " " + row.group(2))
              .toList();

      assertThat(site.registry.scrape().stream().map(MetricsReferenceTest::told))
          .hasSizeGreaterThan(25)
          .containsExactlyInAnyOrderElementsOf(documented);
    }
  }

  private static String told(MetricSnapshot metric) {
    String type =
        metric.getClass().getSimpleName().replace("Snapshot", "").toLowerCase(Locale.ROOT);
    if (metric instanceof InfoSnapshot) { // as Prometheus reads it
      return metric.getMetadata().getPrometheusName() + "_info gauge";
    }
    String end = metric instanceof CounterSnapshot ? "_total" : "";
    return metric.getMetadata().getPrometheusName() + end + " " + type;
  }
}
