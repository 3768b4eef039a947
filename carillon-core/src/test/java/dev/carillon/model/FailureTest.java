package dev.carillon.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void a_failure_without_a_code_is_refused() {
    assertThatThrownBy(() -> Failure.of(" ", "it broke"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a failure needs a code, such as 'timeout'");
  }

  @Test
  void texts_are_cut_to_what_is_kept_and_show_that_they_were() {
    var failure = new Failure("c".repeat(101), "m".repeat(2_001), Optional.of("d".repeat(16_001)));

    assertThat(failure.code()).isEqualTo("c".repeat(99) + "…");
    assertThat(failure.message()).isEqualTo("m".repeat(1_999) + "…");
    assertThat(failure.details()).contains("d".repeat(15_999) + "…");
  }

  @Test
  void texts_of_just_the_longest_are_kept_whole() {
    assertThat(Failure.of("c".repeat(100), "m".repeat(2_000)).message()).doesNotContain("…");
  }

  @Test
  void what_the_database_cannot_store_is_replaced() {
    assertThat(Failure.of("broken", "a\0b\uD83Dc").message()).isEqualTo("a\uFFFDb\uFFFDc");
    assertThat(Failure.of("broken", "\uD83D\uDD14").message()).isEqualTo("\uD83D\uDD14");
  }

  @Test
  void a_cut_through_a_pair_leaves_no_half() {
    String bells = "x" + "\uD83D\uDD14".repeat(1_500);

    assertThat(Failure.of("broken", bells).message())
        .hasSize(2_000)
        .doesNotMatch("(?s).*\\p{Cs}.*")
        .endsWith("\uD83D\uDD14…");
    assertThat(Failure.of("broken", bells.substring(1)).message()).endsWith("\uD83D\uDD14\uFFFD…");
  }

  @Property
  void a_failure_made_of_another_is_the_same(Gen any) {
    Failure failure =
        new Failure("x" + any.text(200), any.text(3_000), Optional.of(any.text(20_000)));

    assertThat(new Failure(failure.code(), failure.message(), failure.details()))
        .isEqualTo(failure);
  }
}
