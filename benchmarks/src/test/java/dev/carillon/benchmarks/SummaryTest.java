package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SummaryTest {

  @Test
  void a_verdict_becomes_a_row_with_the_peers_apart() {
    assertThat(
            Summary.of(
                measured(
                    "drain",
                    "- at least 3× db-scheduler: met (27,012 jobs/s against db-scheduler 8,012"
                        + " (3.37×))")))
        .contains(
            "| drain | at least 3× db-scheduler | 27,012 jobs/s | db-scheduler 8,012 (3.37×) | met"
                + " |");
  }

  @Test
  void a_verdict_without_peers_leaves_their_cell_empty() {
    assertThat(Summary.of(measured("cron", "- slowest `next()` at most 1 ms: MISSED (2 ms)")))
        .contains("| cron | slowest `next()` at most 1 ms | 2 ms |  | MISSED |");
  }

  @Test
  void a_promise_may_hold_a_colon() {
    assertThat(Summary.of(measured("drift", "- 1,000 fires: all, p99 at most 20 ms: met (3 ms)")))
        .contains("| drift | 1,000 fires: all, p99 at most 20 ms | 3 ms |  | met |");
  }

  @Test
  void what_was_not_measured_is_named() {
    String page =
        measured("drain", "- fast: met (very)")
            + "\n<!-- idle:begin -->\nNot measured yet.\n<!-- idle:end -->\n";

    assertThat(Summary.of(page)).endsWith("Measured: drain 2026-11-15. Not measured yet: idle.");
  }

  @Test
  void an_older_summary_is_not_summed_up() {
    assertThat(Summary.of(measured("glance", "- fast: met (very)"))).doesNotContain("fast");
  }

  private static String measured(String section, String verdict) {
    return """
    <!-- %1$s:begin -->
    %2$s

    Measured 2026-11-15 with care.
    <!-- %1$s:end -->
    """
        .formatted(section, verdict);
  }
}
