package dev.carillon.targets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SafeTextTest {
  @Test
  void a_line_has_no_breaks_and_a_text_keeps_them() {
    assertThat(SafeText.line("a\tb\r\nc", 50)).isEqualTo("a\\tb\\r\\nc");
    assertThat(SafeText.text("a\tb\r\nc\rd", 50)).isEqualTo("a\tb\nc\\rd");
  }

  @Test
  void what_is_too_long_is_cut_but_not_within_a_pair() {
    assertThat(SafeText.line("abcdef", 6)).isEqualTo("abcdef");
    assertThat(SafeText.line("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(SafeText.line("abcd\uD83D\uDE00fg", 6)).isEqualTo("abcd…");
  }

  @Test
  void letters_of_all_languages_stay() {
    assertThat(SafeText.line("Grüße, 世界 \uD83D\uDE00", 50)).isEqualTo("Grüße, 世界 \uD83D\uDE00");
    assertThat(SafeText.line("\u001b[2J\u009b\u200f\uD800", 50))
        .isEqualTo("\\u001b[2J\\u009b\\u200f\\ud800");
  }
}
