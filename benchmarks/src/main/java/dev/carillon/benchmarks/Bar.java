package dev.carillon.benchmarks;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A promise about Carillon's speed relative to others, judged by the expression that keeps it
 * worst.
 *
 * @param words the promise
 * @param benchmark where it is measured
 * @param rivals the libraries to beat, all of them
 * @param factor how many times as fast Carillon has to be
 */
record Bar(String words, Class<?> benchmark, List<Library> rivals, double factor) {

  private static final List<Library> PEERS =
      List.of(Library.JOBRUNR, Library.SPRING, Library.QUARTZ, Library.CRON_UTILS);

  static final List<Bar> ALL =
      List.of(
          new Bar("`next()` faster than the fastest peer", NextBenchmark.class, PEERS, 1),
          new Bar("`next()` at least 5× Spring's", NextBenchmark.class, List.of(Library.SPRING), 5),
          new Bar(
              "`next()` at least 50× cron-utils'",
              NextBenchmark.class,
              List.of(Library.CRON_UTILS),
              50),
          new Bar("parsing as fast as the fastest peer", ParseBenchmark.class, PEERS, 1));

  private record Lead(String expression, Library rival, double factor) {}

  String verdict(Results results) {
    return leads(results)
        .min(Comparator.comparingDouble(Lead::factor))
        .map(
            least ->
                String.format(
                    Locale.ROOT,
                    "%s: %s (least %.1f× for `%s`, against %s)",
                    words,
                    least.factor() >= factor ? "met" : "MISSED",
                    least.factor(),
                    Expressions.shorten(least.expression()),
                    least.rival().title()))
        .orElse(words + ": not measured");
  }

  private Stream<Lead> leads(Results results) {
    return results.expressions(benchmark).stream()
        .flatMap(
            expression ->
                rivals.stream()
                    .map(
                        rival ->
                            new Lead(
                                expression,
                                rival,
                                results.nanos(benchmark, expression, rival)
                                    / results.nanos(benchmark, expression, Library.CARILLON))));
  }
}
