package dev.carillon.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsciiTextTest {
  @Test
  void a_number_has_digits_only_and_not_too_many() {
    assertThat(AsciiText.number("0", 1)).hasValue(0);
    assertThat(AsciiText.number("007", 3)).hasValue(7);
    assertThat(AsciiText.number("9".repeat(18), 18)).hasValue(999_999_999_999_999_999L);
    assertThat(AsciiText.number("1000", 3)).isEmpty();
    assertThatThrownBy(() -> AsciiText.number("1", 19))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("19");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "-1", "+1", "1 ", "1\n", "1.0", "0x1", "a", "١", "１", "1/", "1:"})
  void anything_else_is_no_number(String text) {
    assertThat(AsciiText.number(text, 9)).isEmpty();
  }

  @Test
  void visible_characters_are_those_of_ascii_without_blanks() {
    assertThat(AsciiText.isVisible("!aZ~", 1, 4)).isTrue();
    assertThat(AsciiText.isVisible("", 0, 4)).isTrue();
    assertThat(AsciiText.isVisible("", 1, 4)).isFalse();
    assertThat(AsciiText.isVisible("abcde", 1, 4)).isFalse();
    for (String text : new String[] {"a b", "a\t", "a\u007f", "ä", "a\n"}) {
      assertThat(AsciiText.isVisible(text, 1, 9)).as(text).isFalse();
    }
  }

  @Test
  void a_uuid_is_written_in_full() {
    String id = new UUID(0x0123_4567_89ab_cdefL, 0x8edc_ba98_7654_3210L).toString();
    assertThat(AsciiText.isUuid(id)).isTrue();
    assertThat(AsciiText.isUuid(id.replace('a', 'A'))).isTrue();
    assertThat(AsciiText.isUuid(id.substring(1))).isFalse();
    assertThat(AsciiText.isUuid(id + "0")).isFalse();
    assertThat(AsciiText.isUuid(id.replace('-', '0'))).isFalse();
    assertThat(AsciiText.isUuid(id.replace('a', 'g'))).isFalse();
    assertThat(AsciiText.isUuid("1-1-1-1-1")).isFalse();
  }
}
