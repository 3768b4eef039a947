package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SummaryTest {

  @Test
  void a_promise_becomes_a_row() {
    assertThat(
            Summary.of(
                measured(
                    "drain",
                    "- drain rate: promised at least 3×, measured 3.37× (27,012, db-scheduler 8,012): met")))
        .contains(
            "| drain | drain rate | at least 3× | 3.37× | 27,012, db-scheduler 8,012 | met |");
  }

  @Test
  void a_promise_without_a_note_leaves_its_cell_empty() {
    assertThat(
            Summary.of(
                measured(
                    "cron", "- slowest `next()`: promised at most 1 ms, measured 2 ms: MISSED")))
        .contains("| cron | slowest `next()` | at most 1 ms | 2 ms |  | MISSED |");
  }

  @Test
  void a_promise_may_hold_colons_and_commas() {
    assertThat(
            Summary.of(
                measured(
                    "drift", "- fires, p99: late: promised 20 ms, all, measured 3 ms, all: met")))
        .contains("| drift | fires, p99: late | 20 ms, all | 3 ms, all |  | met |");
  }

  @Test
  void what_was_not_measured_is_named() {
    String page =
        measured("drain", "- speed: promised high, measured higher: met")
            + "\n<!-- idle:begin -->\nNot measured yet.\n<!-- idle:end -->\n";

    assertThat(Summary.of(page)).endsWith("Measured: drain 2026-11-15.\nNot measured yet: idle.");
  }

  @Test
  void what_was_not_measured_at_a_commit_is_named() {
    String page = measured("herd", "").replace("2026-11-15", "2026-11-15 at 1a2b3c-dirty");

    assertThat(Summary.of(page))
        .contains("not committed, so to be measured again: herd 2026-11-15 at 1a2b3c-dirty.");
  }

  @Test
  void an_older_summary_is_not_summed_up() {
    assertThat(Summary.of(measured("summary", "- speed: promised high, measured higher: met")))
        .doesNotContain("speed");
  }

  @Test
  void the_summary_of_the_page_is_that_of_its_sections() throws Exception {
    String page = Files.readString(Path.of("../docs/reference/benchmarks.md"));

    assertThat(Section.called("summary").replace(page, Summary.of(page))).isEqualTo(page);
  }

  private static String measured(String section, String promise) {
    return """
    <!-- %1$s:begin -->
    %2$s

    Measured 2026-11-15 with care.
    <!-- %1$s:end -->
    """
        .formatted(section, promise);
  }
}
