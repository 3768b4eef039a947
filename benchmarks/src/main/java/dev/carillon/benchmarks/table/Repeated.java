package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.measure.DrainTrial;
import java.util.Comparator;
import java.util.List;

/** The repetitions of one drain. */
record Repeated(List<DrainTrial.Outcome> outcomes) {

  DrainTrial.Outcome best() {
    return outcomes.stream()
        .max(Comparator.comparingDouble(DrainTrial.Outcome::jobsPerSecond))
        .orElseThrow();
  }

  DrainTrial.Outcome worst() {
    return outcomes.stream()
        .min(Comparator.comparingDouble(DrainTrial.Outcome::jobsPerSecond))
        .orElseThrow();
  }

  String spread() {
    return Figures.whole(worst().jobsPerSecond()) + "–" + Figures.whole(best().jobsPerSecond());
  }
}
