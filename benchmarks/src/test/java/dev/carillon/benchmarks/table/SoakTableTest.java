package dev.carillon.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.benchmarks.measure.Soak;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakTableTest {
  private static final double MEBIBYTE = 1024 * 1024;

  @Test
  void sizes_that_go_up_and_down_are_no_growth() {
    assertThat(verdicts(minute -> 20 + minute % 5, 1_400))
        .anyMatch(line -> line.contains("live tables") && line.endsWith("× (`run`): met"))
        .contains("- bytes of WAL per run: promised at most 1,500, measured 1,400: met");
  }

  @Test
  void a_table_that_grows_is_named() {
    assertThat(verdicts(minute -> 20 + minute, 1_600))
        .anyMatch(
            line -> line.contains("live tables") && line.endsWith("measured 1.60× (`run`): MISSED"))
        .contains("- bytes of WAL per run: promised at most 1,500, measured 1,600: MISSED");
  }

  private interface Size {
    double mebibytes(int minute);
  }

  private static List<String> verdicts(Size size, double walPerRun) {
    List<Soak.Sample> samples =
        IntStream.rangeClosed(1, 60)
            .mapToObj(minute -> sample(minute, size.mebibytes(minute), walPerRun))
            .toList();
    return new SoakTable(samples).lines().stream().filter(line -> line.startsWith("- ")).toList();
  }

  private static Soak.Sample sample(int minute, double mebibytes, double walPerRun) {
    var live = new HashMap<String, Double>();
    Soak.LIVE.forEach(table -> live.put(table, 8_192.0));
    live.put("run", mebibytes * MEBIBYTE);
    double runs = 60_000.0 * minute;
    return new Soak.Sample(minute, live, 300 * runs, runs, walPerRun * runs, runs / 50, runs / 100);
  }
}
