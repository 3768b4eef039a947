package dev.carillon.benchmarks.table;

import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
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

  /** Return the p99 of the repetition in the middle. */
  double p99() {
    return median(Drift.Outcome::p99);
  }

  /** Write the least and the largest p99, if there is more than one. */
  String spread() {
    if (outcomes.size() == 1) {
      return "";
    }
    return TableFigures.brief(least(Drift.Outcome::p99))
        + "–"
        + TableFigures.brief(most(Drift.Outcome::p99));
  }

  /** Write how many fires were seen, and how many of them twice or before their slot. */
  String seen() {
    String seen = TableFigures.percent(sum(Drift.Outcome::fired), sum(Drift.Outcome::expected));
    double repeated = sum(Drift.Outcome::doubled);
    double early = sum(Drift.Outcome::early);
    return (repeated == 0 ? seen : seen + ", " + Figures.whole(repeated) + " twice")
        + (early == 0 ? "" : ", " + Figures.whole(early) + " early");
  }

  /** Return the p99 at the end of the first repetition, which is the longest. */
  double endP99() {
    return outcomes.get(0).endP99();
  }

  boolean isExact() {
    return outcomes.stream().allMatch(Drift.Outcome::exact);
  }

  /**
   * Judge the lateness {@code with} something against that {@code without} it.
   *
   * @param with such as {@code with 1,000,000 idle schedules}
   */
  Promise promise(String with, RepeatedDrift without) {
    double later = p99() - without.p99();
    return new Promise(
        "p99 of the lateness of fires " + with + ", compared with none",
        "at most 10 % or 2 ms more, all fires seen",
        Markdown.more(later, "ms") + ", " + seen() + " seen",
        "%s ms, %s ms with none"
            .formatted(TableFigures.brief(p99()), TableFigures.brief(without.p99())),
        isExact() && later <= Math.max(2, without.p99() / 10));
  }

  private DoubleStream figures(ToDoubleFunction<Drift.Outcome> figure) {
    return outcomes.stream().mapToDouble(figure);
  }
}
