package dev.carillon.benchmarks.measure;

import dev.carillon.Carillon;
import dev.carillon.Runs;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Measures the queries of a console on a long history, each with other values every time. */
public final class ConsoleQueries {
  private static final int WARM_UP = 30;
  private static final List<RunState> STATES = List.of(RunState.values());

  private final Random random = new Random(20);
  private final Instant now = Instant.now();
  private final Runs runs;
  private final int calls;

  private ConsoleQueries(Runs runs, int calls) {
    this.runs = runs;
    this.calls = calls;
  }

  /** How long one query took, in milliseconds. */
  public record Timing(String query, double p50Millis, double p99Millis, double maxMillis) {}

  /** What was found. */
  public record Outcome(List<Timing> timings) {}

  static Outcome measure(Database database, int calls) throws InterruptedException {
    database.settle();
    database.warmUp();
    try (var pool = database.pool();
        Carillon carillon =
            Carillon.builder().dataSource(pool).target("noop", context -> {}).build()) {
      return new ConsoleQueries(carillon.runs(), calls).measure();
    }
  }

  private Outcome measure() {
    Map<String, Runnable> queries = queries();
    var timings = new ArrayList<Timing>();
    queries.forEach(
        (name, query) -> {
          IntStream.range(0, WARM_UP).forEach(i -> query.run());
          double[] millis = new double[calls];
          for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            query.run();
            millis[i] = (System.nanoTime() - start) / 1e6;
          }
          Arrays.sort(millis);
          timings.add(
              new Timing(name, millis[calls / 2], millis[calls * 99 / 100], millis[calls - 1]));
        });
    return new Outcome(timings);
  }

  private Map<String, Runnable> queries() {
    var queries = new LinkedHashMap<String, Runnable>();
    queries.put("latest 50 runs of a schedule", () -> runs.list(RunFilter.bySchedule(key())));
    queries.put(
        "failures of a schedule",
        () -> runs.list(RunFilter.bySchedule(key()).state(RunState.FAILED)));
    queries.put("latest 50 runs", () -> runs.list(RunFilter.all().limit(50)));
    queries.put("any state", () -> runs.list(RunFilter.all().state(state())));
    queries.put("any target", () -> runs.list(RunFilter.all().target(target())));
    queries.put(
        "any state and target", () -> runs.list(RunFilter.all().target(target()).state(state())));
    queries.put("any state in some hours", () -> runs.list(hours().state(state())));
    queries.put("any target in some hours", () -> runs.list(hours().target(target())));
    queries.put(
        "any state and target in some hours, and the next page",
        () -> twoPages(hours().target(target()).state(state())));
    queries.put("a target without runs", () -> runs.list(RunFilter.all().target("unknown")));
    queries.put(
        "last 20 states of each of 50 schedules",
        () -> runs.recent(IntStream.range(0, 50).mapToObj(i -> key()).distinct().toList(), 20));
    queries.put("counts of a day by state", () -> runs.counts(dayBefore(), now));
    queries.put("counts of a day by hour", () -> runs.countsByHour(dayBefore(), now));
    queries.put("counts of a day by target", () -> runs.countsByTarget(dayBefore(), now));
    return queries;
  }

  private void twoPages(RunFilter filter) {
    List<Run> page = runs.list(filter);
    if (!page.isEmpty()) {
      runs.list(filter.after(page.get(page.size() - 1).id()));
    }
  }

  private String key() {
    return "idle-" + random.nextInt(HistoryFill.SCHEDULES);
  }

  private String target() {
    return "target-" + random.nextInt(HistoryFill.TARGETS);
  }

  private RunState state() {
    return STATES.get(random.nextInt(STATES.size()));
  }

  private RunFilter hours() {
    Instant from = now.minus(Duration.ofHours(random.nextInt(1, 24 * HistoryFill.DAYS)));
    return RunFilter.all().between(from, from.plus(Duration.ofHours(random.nextInt(1, 48))));
  }

  private Instant dayBefore() {
    return now.minus(Duration.ofDays(1));
  }
}
