package dev.carillon.server.watch;

import dev.carillon.Version;
import dev.carillon.store.cluster.ClusterStats;
import dev.carillon.store.jdbc.StoreException;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gauges of the cluster; while the database does not answer, only that it does not. */
record ClusterGauges(ClusterStatsCache stats) implements MultiCollector {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterGauges.class);
  private static final List<String> STATUSES = List.of("active", "paused", "completed", "retired");
  private static final List<String> STATES = List.of("pending", "running");

  @Override
  public MetricSnapshots collect() {
    Optional<ClusterStats> cluster = taken();
    var all = MetricSnapshots.builder();
    all.metricSnapshot(build());
    all.metricSnapshot(
        one("database_up", "Whether the database answers.", cluster.isPresent() ? 1 : 0));
    all.metricSnapshot(
        one(
            "database_writable",
            "Whether the database answers and can be written.",
            cluster.isPresent() && stats.isWritable() ? 1 : 0));
    cluster.ifPresent(taken -> add(taken, all));
    return all.build();
  }

  private Optional<ClusterStats> taken() {
    try {
      return Optional.of(stats.take());
    } catch (StoreException | DatabaseUnavailableException e) {
      LOG.debug("the cluster could not be counted: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static void add(ClusterStats stats, MetricSnapshots.Builder all) {
    Map<String, Long> failing = MetricLabels.escaped(stats.failing());
    Map<String, Long> coverage = MetricLabels.escaped(stats.coverage());
    all.metricSnapshot(one("schedules_due", "Schedules to be planned now.", stats.due()))
        .metricSnapshot(one("missed", "Schedules and runs over a minute late.", stats.missed()))
        .metricSnapshot(
            one("stalled", "Running runs without a node that works on them.", stats.stalled()))
        .metricSnapshot(
            one("silent", "What has not succeeded for as long as expected.", stats.silentCount()))
        .metricSnapshot(
            one("dead_letters", "Runs that failed for good, up to 10000.", stats.deadLetters()))
        .metricSnapshot(lastSuccesses(MetricLabels.escaped(stats.lastSuccesses())))
        .metricSnapshot(
            each(
                "calendar_coverage_days",
                "Days until the holidays of a calendar in use are not known any more.",
                "calendar",
                List.copyOf(coverage.keySet()),
                coverage))
        .metricSnapshot(one("nodes", "Nodes that are alive.", stats.nodes()))
        .metricSnapshot(each("schedules", "Schedules.", "state", STATUSES, stats.schedules()))
        .metricSnapshot(each("runs", "Runs that are not over.", "state", STATES, stats.runs()))
        .metricSnapshot(
            each(
                "schedule_consecutive_failures",
                "Runs that failed in a row, of the schedules that are worst off.",
                "schedule",
                List.copyOf(failing.keySet()),
                failing));
  }

  private static InfoSnapshot build() {
    return InfoSnapshot.builder()
        .name("carillon_build")
        .help("What runs here: always 1.")
        .dataPoint(
            InfoDataPointSnapshot.builder()
                .labels(
                    Labels.of("version", Version.current(), "java", Runtime.version().toString()))
                .build())
        .build();
  }

  private static GaugeSnapshot lastSuccesses(Map<String, Instant> successes) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("carillon_schedule_last_success_timestamp_seconds")
            .help("When a run last succeeded, of schedules that are few or fail worst.");
    successes.forEach(
        (key, at) ->
            gauge.dataPoint(
                GaugeDataPointSnapshot.builder()
                    .labels(Labels.of("schedule", key))
                    .value(at.toEpochMilli() / 1000.0)
                    .build()));
    return gauge.build();
  }

  private static GaugeSnapshot one(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name("carillon_" + name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value((double) value).build())
        .build();
  }

  private static GaugeSnapshot each(
      String name, String help, String label, List<String> values, Map<String, Long> counts) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name("carillon_" + name).help(help);
    for (String value : values) {
      gauge.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(Labels.of(label, value))
              .value(counts.getOrDefault(value, 0L).doubleValue())
              .build());
    }
    return gauge.build();
  }
}
