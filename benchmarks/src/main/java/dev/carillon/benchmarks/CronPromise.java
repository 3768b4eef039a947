package dev.carillon.benchmarks;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A promise about Carillon's speed compared with others, judged by the expression with the smallest
 * lead.
 *
 * @param figure what is compared
 * @param benchmark where it is measured
 * @param rivals the libraries it is compared with, each of them
 * @param factor how many times as fast Carillon has to be
 */
record CronPromise(String figure, Class<?> benchmark, List<Library> rivals, int factor) {

  private static final List<Library> PEERS =
      List.of(Library.JOBRUNR, Library.SPRING, Library.QUARTZ, Library.CRON_UTILS);

  static final List<CronPromise> ALL =
      List.of(
          new CronPromise(
              "speed of `next()`, compared with the fastest peer's", NextBenchmark.class, PEERS, 1),
          new CronPromise(
              "speed of `next()`, compared with Spring's",
              NextBenchmark.class,
              List.of(Library.SPRING),
              5),
          new CronPromise(
              "speed of `next()`, compared with cron-utils'",
              NextBenchmark.class,
              List.of(Library.CRON_UTILS),
              50),
          new CronPromise(
              "speed of parsing, compared with the fastest peer's",
              ParseBenchmark.class,
              PEERS,
              1));

  private record Lead(String expression, Library rival, double factor) {}

  Promise judge(Results results) {
    Lead least = leads(results).min(Comparator.comparingDouble(Lead::factor)).orElseThrow();
    return new Promise(
        figure,
        "at least " + factor + "×",
        String.format(Locale.ROOT, "%.1f×", least.factor()),
        "smallest lead, over %s for `%s`"
            .formatted(least.rival().title(), Expressions.shorten(least.expression())),
        least.factor() >= factor);
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
