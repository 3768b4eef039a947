package dev.carillon.cli.bench;

import static dev.carillon.cli.bench.Samples.drain;
import static dev.carillon.cli.bench.Samples.drift;
import static dev.carillon.cli.bench.Samples.growth;
import static dev.carillon.cli.bench.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Report GOOD = report(drain(24_310), drift(9.8), growth(24_000, 23_500, 10));

  @Test
  void a_report_is_a_table_and_a_verdict() {
    assertThat(text(GOOD))
        .containsSubsequence(
            "PostgreSQL 18.4 at db.example:5432\n",
            "  round trip    0.10 ms\n",
            "  commit        1.5 ms, its round trip included\n",
            "drain   100,000 due runs with an empty handler, their history kept\n",
            "  speed         24,310 runs/s\n",
            "  first run     85 ms after the start of the node\n",
            "  commits       0.004 per run\n",
            "  WAL           912 bytes per run, counting all of the server's\n",
            "drift   1,000 schedules firing at each of 20 seconds\n",
            "  fired         20,000 of 20,000; 0 skipped, 0 doubled, 0 early\n",
            "  lateness      p50 3.1 ms, p99 9.8 ms, max 20 ms\n",
            "growth  the same beside 1,000,000 idle schedules\n",
            "                        without           beside   ratio\n",
            "  drain           24,000 runs/s    23,500 runs/s    0.98\n",
            "  drift p99               10 ms            10 ms    1.00\n",
            "  created in    40 s, 25,000 schedules/s\n",
            "verdict\n",
            "  drain   good  24,310 runs/s; good from 10,000\n",
            "  drift   good  p99 9.8 ms at 1,000 fires/s; good up to 20 ms\n",
            "  growth  good  97 % of the speed is left beside 1,000,000 idle schedules; good from"
                + " 90 %\n");
  }

  @Test
  void no_line_of_a_report_is_longer_than_100() {
    Report poor = report(drain(100), drift(5_000), growth(100, 10, 9_000));

    assertThat(text(poor).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(101));
  }

  @Test
  void a_report_for_programs_has_the_same_figures() throws Exception {
    var out = new StringWriter();
    ReportJson.print(GOOD, new PrintWriter(out));

    JsonNode json = new ObjectMapper().readTree(out.toString());

    assertThat(json.at("/ground/roundTripMillis").asDouble()).isEqualTo(0.1);
    assertThat(json.at("/drain/runsPerSecond").asDouble()).isEqualTo(24_310);
    assertThat(json.at("/drain/walBytesPerRun").asDouble()).isEqualTo(912.3);
    assertThat(json.at("/drift/fired").asInt()).isEqualTo(20_000);
    assertThat(json.at("/growth/beside/drift/p99Millis").asDouble()).isEqualTo(10);
    assertThat(json.at("/verdicts/2/grade").asText()).isEqualTo("good");
    assertThat(json.at("/broken").size()).isZero();
  }

  @Test
  void what_was_not_measured_is_left_out() throws Exception {
    var out = new StringWriter();
    var nothingFired =
        new Drift.Outcome(1, 1, 1, 0, 1, 0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0);
    ReportJson.print(
        new Report(
            Samples.QUICK_GROUND, Optional.empty(), Optional.of(nothingFired), Optional.empty()),
        new PrintWriter(out));

    JsonNode json = new ObjectMapper().readTree(out.toString());

    assertThat(json.has("drain")).isFalse();
    assertThat(json.at("/drift").has("p99Millis")).isFalse();
  }

  @Test
  void a_good_report_has_no_broken_promise() {
    assertThat(GOOD.broken()).isEmpty();
  }

  @Test
  void runs_and_fires_that_are_missing_doubled_or_early_are_broken_promises() {
    var drain = new Drain.Outcome(100, 2, 3, 1, 1, 1, OptionalDouble.empty(), 0);
    var drift = new Drift.Outcome(10, 10, 100, 94, 2, 5, 6, 1, 1, 1, 1, 0);
    var growth =
        new Growth.Outcome(
            1,
            1,
            new Growth.Half(List.of(drain(1), drain), drift(1)),
            new Growth.Half(List.of(drain(1)), drift));

    assertThat(report(drain, drift, growth).broken())
        .containsExactly(
            "drain: 2 runs never ended",
            "drain: 3 runs were started twice",
            "drift: 4 fires are missing without a recorded reason",
            "drift: 5 fires were doubled",
            "drift: 6 fires were early",
            "growth, without idle schedules: 2 runs never ended",
            "growth, without idle schedules: 3 runs were started twice",
            "growth, beside idle schedules: 4 fires are missing without a recorded reason",
            "growth, beside idle schedules: 5 fires were doubled",
            "growth, beside idle schedules: 6 fires were early");
  }

  private static String text(Report report) {
    var out = new StringWriter();
    new ReportText(new PrintWriter(out), false).print(report);
    return out.toString().replace(System.lineSeparator(), "\n");
  }
}
