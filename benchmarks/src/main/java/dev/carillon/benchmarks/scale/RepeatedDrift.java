package dev.carillon.benchmarks.scale;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The repetitions of one drift. */
record RepeatedDrift(List<Drift.Outcome> outcomes) {

  /** Return the figure of the repetition in the middle. */
  double median(ToDoubleFunction<Drift.Outcome> figure) {
    double[] sorted = figures(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  double most(ToDoubleFunction<Drift.Outcome> figure) {
    return figures(figure).max().orElseThrow();
  }

  double least(ToDoubleFunction<Drift.Outcome> figure) {
    return figures(figure).min().orElseThrow();
  }

  /** Add up what was counted in each repetition. */
  double sum(ToDoubleFunction<Drift.Outcome> count) {
    return figures(count).sum();
  }

  /** Return the p99 at the end of the first repetition, which is the longest. */
  double endP99() {
    return outcomes.get(0).endP99Millis();
  }

  boolean isExact() {
    return outcomes.stream().allMatch(Drift.Outcome::isExact);
  }

  private DoubleStream figures(ToDoubleFunction<Drift.Outcome> figure) {
    return outcomes.stream().mapToDouble(figure);
  }
}
