package dev.carillon.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.bench.Drift;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.Section;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import dev.carillon.benchmarks.measure.ColdStart;
import dev.carillon.benchmarks.measure.ConsoleBrowser;
import dev.carillon.benchmarks.measure.ConsoleCalls;
import dev.carillon.benchmarks.measure.ConsoleQueries;
import dev.carillon.benchmarks.measure.ConsoleScale;
import dev.carillon.benchmarks.measure.ConsoleSize;
import dev.carillon.benchmarks.measure.DrainTrial;
import dev.carillon.benchmarks.measure.Herd;
import dev.carillon.benchmarks.measure.Idle;
import dev.carillon.benchmarks.measure.PartitionDrop;
import dev.carillon.benchmarks.measure.Punctuality;
import dev.carillon.benchmarks.measure.Requests;
import dev.carillon.benchmarks.measure.ServerLoad;
import dev.carillon.benchmarks.measure.Soak;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of the page have the words that the next run would write. */
class PageWordsTest {
  private static final Drift.Outcome DRIFT =
      new Drift.Outcome(1_000, 60, 60_000, 60_000, 0, 0, 0, 1, 10, 10, 10, 0);
  private static final Punctuality PUNCTUAL = new Punctuality(26, 26, 1, 2, 3);

  @ParameterizedTest
  @EnumSource(Suite.class)
  void promises_are_those_of_the_page(Suite suite) throws Exception {
    assertThat(promises(String.join("\n", lines(suite)))).isEqualTo(promises(section(suite)));
  }

  @ParameterizedTest
  @EnumSource(Suite.class)
  void heads_of_tables_are_those_of_the_page(Suite suite) throws Exception {
    assertThat(heads(lines(suite))).isEqualTo(heads(section(suite).lines().toList()));
  }

  private static List<String> promises(String text) {
    return Promise.in(text).map(promise -> promise.figure() + ": " + promise.promised()).toList();
  }

  private static List<String> heads(List<String> lines) {
    return IntStream.range(1, lines.size())
        .filter(i -> lines.get(i).startsWith("|---"))
        .mapToObj(i -> lines.get(i - 1))
        .toList();
  }

  private static String section(Suite suite) throws Exception {
    String page = Files.readString(Path.of("../docs/reference/benchmarks.md"));
    Section section = Section.called(suite.title());
    return page.substring(page.indexOf(section.begin()), page.indexOf(section.end()));
  }

  private static List<String> lines(Suite suite) {
    return switch (suite) {
      case DRAIN -> new DrainTable(each(Suite.DRAIN, drain()), 100_000).lines();
      case DRIFT ->
          new DriftTable(
                  DriftRound.of(SuiteEffort.FULL).stream()
                      .map(round -> new DriftTable.Row(round, drift()))
                      .toList())
              .lines();
      case GROWTH ->
          new GrowthTable(SuiteEffort.FULL.idle().stream().map(PageWordsTest::growth).toList())
              .lines();
      case HERD ->
          new HerdTable(
                  1_000_000, new Herd.Outcome(1, 1, 1, 1, 1_000_000, PUNCTUAL, PUNCTUAL, 1, 1))
              .lines();
      case CLUSTER ->
          new ClusterTable(
                  Stream.of(1, 2, 4).map(PageWordsTest::cluster).toList(), 400_000, 5_000, 20)
              .lines();
      case IDLE ->
          new IdleTable(
                  each(
                      Suite.IDLE,
                      new IdleTable.Row(
                          new Idle.Outcome(1, 1, 1, 1), List.of(new ColdStart.Outcome(1, 1)))))
              .lines();
      case SERVER -> server().lines();
      case HISTORY ->
          new HistoryTable(
                  20_000_000,
                  drain(),
                  drain(),
                  drift(),
                  drift(),
                  new ConsoleQueries.Outcome(List.of()),
                  new PartitionDrop.Outcome(DRIFT, DRIFT, 1, 1))
              .lines();
      case CONSOLE -> console().lines();
      case SOAK ->
          new SoakTable(IntStream.rangeClosed(1, 60).mapToObj(PageWordsTest::soak).toList())
              .lines();
    };
  }

  private static <T> Map<Entrant, T> each(Suite suite, T result) {
    Map<Entrant, T> results = new EnumMap<>(Entrant.class);
    Entrant.in(suite).forEach(entrant -> results.put(entrant, result));
    return results;
  }

  private static Repeated drain() {
    return new Repeated(List.of(new DrainTrial.Outcome(1, 1, 1, 1, 1)));
  }

  private static RepeatedDrift drift() {
    return new RepeatedDrift(List.of(DRIFT));
  }

  private static GrowthTable.Row growth(int idle) {
    var combination = new GrowthTable.Combination(idle, Entrant.CARILLON);
    return new GrowthTable.Row(combination, drain(), drift(), 1, 1, 1);
  }

  private static ClusterTable.Row cluster(int nodes) {
    var drained = new ClusterTable.Drain(1, List.of(1L), 0);
    return new ClusterTable.Row(nodes, List.of(drained), 0, List.of(1L), PUNCTUAL);
  }

  private static ConsoleTable console() {
    var call = new ConsoleCalls.Timing("now", "activity", 200, 1, 1);
    return new ConsoleTable(
        100_000,
        1_000_000,
        40,
        new ConsoleScale.Outcome(
            List.of(call),
            List.of(call),
            new ConsoleSize.Outcome(1, 1, 1),
            new ConsoleBrowser.Outcome(Map.of("now", 1.0), 1, 1)));
  }

  private static ServerTable server() {
    List<Requests.Outcome> requests =
        List.of(
            requests("create a schedule", 200),
            requests("read a schedule", 1_000),
            requests("list 100 schedules", 10));
    return new ServerTable(100_000, 60, new ServerLoad.Outcome(requests, 1, 1, 1));
  }

  private static Requests.Outcome requests(String name, int perSecond) {
    return new Requests.Outcome(name, perSecond, 1, 0, 1, 1, 1, 1);
  }

  private static Soak.Sample soak(int minute) {
    var live = new HashMap<String, Double>();
    Soak.LIVE.forEach(table -> live.put(table, 8_192.0));
    return new Soak.Sample(minute, live, minute, minute, minute, minute, minute);
  }
}
