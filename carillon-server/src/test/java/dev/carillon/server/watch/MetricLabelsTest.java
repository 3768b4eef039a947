package dev.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricLabelsTest {
  @Test
  void a_hundred_values_are_kept_apart_and_the_rest_are_others() {
    var labels = new MetricLabels();
    for (int i = 0; i < MetricLabels.MAX_VALUES; i++) {
      assertThat(labels.bounded("target-" + i)).isEqualTo("target-" + i);
    }

    assertThat(labels.bounded("one-more")).isEqualTo("other");
    assertThat(labels.bounded("target-7")).isEqualTo("target-7");
  }
}
