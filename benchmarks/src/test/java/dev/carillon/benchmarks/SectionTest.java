package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SectionTest {

  @Test
  void only_the_text_between_the_markers_is_replaced() {
    String page = "before\n<!-- cron:begin -->\nold\n<!-- cron:end -->\nafter\n";

    assertThat(Section.called("cron").replace(page, "new"))
        .isEqualTo("before\n<!-- cron:begin -->\nnew\n<!-- cron:end -->\nafter\n");
  }

  @Test
  void a_page_without_markers_is_left_alone() {
    assertThatThrownBy(() -> Section.called("cron").replace("a page", "new"))
        .hasMessage("the page needs the lines <!-- cron:begin --> and <!-- cron:end -->");
  }
}
