package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Cluster;
import dev.carillon.benchmarks.measure.ClusterNode;
import dev.carillon.benchmarks.measure.Punctuality;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** How several nodes share the work of one database. */
record ClusterTable(List<Row> rows, int jobs, int fleet, int seconds) {
  private static final String HEAP = "256m";
  private static final Entrant ENTRANT = Entrant.CARILLON;
  private static final List<Integer> SIZES = List.of(1, 2, 4);
  /* More nodes on the same machine bring no more power; what is below 1 is noise. */
  private static final double MIN_GAIN = 0.9;
  private static final double MIN_SHARE = 0.25;

  /**
   * One size of the cluster.
   *
   * @param drains the repetitions, of which the fastest is shown
   * @param again how many runs needed more than one attempt, or were started more than once
   * @param fired how many slots each node fired
   * @param punctuality how late all of those were
   */
  record Row(int nodes, List<Drain> drains, long again, List<Long> fired, Punctuality punctuality) {
    Drain best() {
      return drains.stream().max(Comparator.comparingDouble(Drain::jobsPerSecond)).orElseThrow();
    }

    /** Return the smallest share of a node in any part, of what each would have had fairly. */
    double fairness() {
      return Stream.concat(drains.stream().map(Drain::shares), Stream.of(fired))
          .mapToDouble(ClusterTable::fairness)
          .min()
          .orElseThrow();
    }
  }

  static ClusterTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int jobs = effort.choose(20_000, 400_000);
    int fleet = effort.choose(500, 5_000);
    int seconds = effort.choose(10, 20);
    var progress = new SuiteProgress("cluster", SIZES.size() * (effort.repetitions() + 1));
    var drains = new ArrayList<List<Drain>>();
    SIZES.forEach(nodes -> drains.add(new ArrayList<>()));
    // In turns, so that a slow minute of the machine does not hit one size alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      for (int i = 0; i < SIZES.size(); i++) {
        progress.begin(title(SIZES.get(i)) + ", drain");
        Drain drain = drain(arena, SIZES.get(i), jobs);
        progress.end(Figures.whole(drain.jobsPerSecond) + " runs/s");
        drains.get(i).add(drain);
      }
    }
    var rows = new ArrayList<Row>();
    for (int i = 0; i < SIZES.size(); i++) {
      progress.begin(title(SIZES.get(i)) + ", every second");
      Row row = fire(arena, SIZES.get(i), drains.get(i), fleet, seconds);
      progress.end("p99 " + TableFigures.brief(row.punctuality.p99Millis()) + " ms");
      rows.add(row);
    }
    return new ClusterTable(rows, jobs, fleet, seconds);
  }

  /** One drain by all nodes together, and how many runs each of them started. */
  record Drain(double jobsPerSecond, List<Long> shares, long again) {}

  private static Drain drain(Arena arena, int nodes, int jobs)
      throws IOException, InterruptedException {
    Cluster cluster = Cluster.on(arena.fresh(ENTRANT, 0), nodes);
    var outcomes = cluster.run(Trial.clusterDrain(ENTRANT, jobs), HEAP, ClusterNode.Drained.class);
    long from = outcomes.stream().mapToLong(ClusterNode.Drained::startedMillis).min().orElseThrow();
    long to = outcomes.stream().mapToLong(ClusterNode.Drained::endedMillis).max().orElseThrow();
    List<Long> shares = outcomes.stream().map(ClusterNode.Drained::runs).toList();
    long repeated = shares.stream().mapToLong(Long::longValue).sum() - jobs;
    return new Drain(jobs * 1e3 / (to - from), shares, repeated + cluster.repeatedAttempts());
  }

  private static Row fire(Arena arena, int nodes, List<Drain> drains, int fleet, int seconds)
      throws IOException, InterruptedException {
    Cluster cluster = Cluster.on(arena.fresh(ENTRANT, 0), nodes);
    var outcomes =
        cluster.run(Trial.clusterFire(ENTRANT, fleet, seconds), HEAP, ClusterNode.Fired.class);
    double[] late =
        outcomes.stream()
            .flatMap(outcome -> outcome.latenessMicros().stream())
            .mapToDouble(micros -> micros / 1e3)
            .sorted()
            .toArray();
    List<Long> fired =
        outcomes.stream().map(outcome -> (long) outcome.latenessMicros().size()).toList();
    var punctuality = Punctuality.of(late, (long) fleet * seconds);
    long again = drains.stream().mapToLong(Drain::again).sum() + cluster.repeatedAttempts();
    return new Row(nodes, drains, again, fired, punctuality);
  }

  private static String title(int nodes) {
    return nodes == 1 ? "1 node" : nodes + " nodes";
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    "a JVM each with -Xmx" + HEAP,
                    "drain of " + Figures.whole(jobs) + ", runs/s",
                    "spread",
                    "× one node",
                    "shares",
                    "twice",
                    Figures.whole(fleet) + " every second for " + seconds + " s, seen",
                    "p50 ms",
                    "p99 ms",
                    "max ms",
                    "shares")));
    rows.forEach(row -> lines.add(line(row)));
    lines.add("");
    rows.stream()
        .filter(row -> row.nodes > 1)
        .flatMap(row -> promises(row).stream())
        .forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private String line(Row row) {
    return Markdown.row(
        List.of(
            title(row.nodes),
            Figures.whole(row.best().jobsPerSecond),
            spread(row),
            TableFigures.times(gain(row)),
            shares(row.best().shares),
            twice(row),
            seen(row),
            TableFigures.brief(row.punctuality.p50Millis()),
            TableFigures.brief(row.punctuality.p99Millis()),
            TableFigures.brief(row.punctuality.maxMillis()),
            shares(row.fired)));
  }

  private double gain(Row row) {
    return row.best().jobsPerSecond / rows.get(0).best().jobsPerSecond;
  }

  private static String spread(Row row) {
    double slowest = row.drains.stream().mapToDouble(Drain::jobsPerSecond).min().orElseThrow();
    return Figures.whole(slowest) + "–" + Figures.whole(row.best().jobsPerSecond);
  }

  private static String shares(List<Long> counts) {
    double all = counts.stream().mapToLong(Long::longValue).sum();
    return counts.stream()
        .map(count -> Figures.whole(100 * count / all) + " %")
        .collect(Collectors.joining(", "));
  }

  private List<Promise> promises(Row row) {
    String nodes = title(row.nodes);
    return List.of(
        new Promise(
            "drain rate of " + nodes + ", as a share of one node's",
            "at least " + Markdown.share(MIN_GAIN),
            Markdown.share(gain(row)),
            gain(row) >= MIN_GAIN),
        new Promise(
            "runs of the least busy of " + nodes + ", as a share of an equal part",
            "at least " + Markdown.share(MIN_SHARE),
            Markdown.share(row.fairness()),
            row.fairness() >= MIN_SHARE),
        new Promise("runs that " + nodes + " started twice", "none", twice(row), row.again == 0),
        new Promise(
            "fires of " + nodes + " that were seen", "all", seen(row), row.punctuality.complete()));
  }

  private static String twice(Row row) {
    return Figures.whole(row.again);
  }

  private static String seen(Row row) {
    return TableFigures.percent(
        (double) row.punctuality.seen(), (double) row.punctuality.expected());
  }

  /** Return the smallest count as a part of what each would have if all had the same. */
  private static double fairness(List<Long> counts) {
    DoubleStream parts = counts.stream().mapToDouble(Long::doubleValue);
    return parts.min().orElse(0)
        * counts.size()
        / Math.max(1, counts.stream().mapToLong(Long::longValue).sum());
  }
}
