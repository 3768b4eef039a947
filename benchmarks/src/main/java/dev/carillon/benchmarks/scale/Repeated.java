package dev.carillon.benchmarks.scale;

import java.util.Comparator;
import java.util.List;

/** The repetitions of one drain. */
record Repeated(List<Drain.Outcome> outcomes) {

  Drain.Outcome best() {
    return outcomes.stream()
        .max(Comparator.comparingDouble(Drain.Outcome::jobsPerSecond))
        .orElseThrow();
  }

  Drain.Outcome worst() {
    return outcomes.stream()
        .min(Comparator.comparingDouble(Drain.Outcome::jobsPerSecond))
        .orElseThrow();
  }

  String spread() {
    return Figures.whole(worst().jobsPerSecond()) + "–" + Figures.whole(best().jobsPerSecond());
  }
}
