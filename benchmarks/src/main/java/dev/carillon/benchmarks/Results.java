package dev.carillon.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What JMH wrote down: a score for each benchmark class, expression and library. */
final class Results {
  private final Map<Key, Score> scores = new LinkedHashMap<>();
  private final LocalDate date;
  private final String jdk;

  private Results(LocalDate date, String jdk) {
    this.date = date;
    this.jdk = jdk;
  }

  record Key(String benchmark, String expression, Library library) {}

  /**
   * A measured mean.
   *
   * @param nanos time per call
   * @param error half the width of the 99.9 % interval around it; NaN if there were too few
   * @param bytes allocated per call
   */
  record Score(double nanos, double error, double bytes) {}

  static Results read(Path json) throws IOException {
    JsonNode runs = new ObjectMapper().readTree(json.toFile());
    var written = Files.getLastModifiedTime(json).toInstant().atOffset(ZoneOffset.UTC);
    var results =
        new Results(written.toLocalDate(), runs.path(0).path("vmVersion").asText("unknown"));
    for (JsonNode run : runs) {
      results.add(run);
    }
    return results;
  }

  private void add(JsonNode run) {
    String[] path = run.path("benchmark").asText().split("\\.", -1);
    String method = path[path.length - 1];
    for (Library library : Library.values()) {
      if (library.method().equals(method)) {
        String expression = run.path("params").path("expression").asText();
        scores.put(new Key(path[path.length - 2], expression, library), score(run));
      }
    }
  }

  private static Score score(JsonNode run) {
    JsonNode time = run.path("primaryMetric");
    JsonNode space = run.path("secondaryMetrics").path("gc.alloc.rate.norm");
    return new Score(
        time.path("score").asDouble(),
        time.path("scoreError").asDouble(Double.NaN),
        space.path("score").asDouble(Double.NaN));
  }

  /** The day of the measurement, in UTC. */
  LocalDate date() {
    return date;
  }

  /** The version of Java that ran the measurement. */
  String jdk() {
    return jdk;
  }

  List<String> expressions(Class<?> benchmark) {
    return scores.keySet().stream()
        .filter(key -> key.benchmark().equals(benchmark.getSimpleName()))
        .map(Key::expression)
        .distinct()
        .toList();
  }

  Optional<Score> score(Class<?> benchmark, String expression, Library library) {
    return Optional.ofNullable(scores.get(new Key(benchmark.getSimpleName(), expression, library)));
  }

  double nanos(Class<?> benchmark, String expression, Library library) {
    return score(benchmark, expression, library).map(Score::nanos).orElse(Double.NaN);
  }

  /** The widest interval relative to its mean, as a measure of the noise in this run. */
  double worstRelativeError() {
    return scores.values().stream()
        .mapToDouble(score -> score.error() / score.nanos())
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }
}
