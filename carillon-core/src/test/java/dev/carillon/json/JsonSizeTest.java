package dev.carillon.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonSizeTest {
  private static final List<String> TEXTS =
      List.of(
          "",
          "bell",
          "\"\\\n\r\t",
          "half \ud83d",
          "\u0001\u001f",
          "\u007f\u009b\u202e\udb40\udc41",
          "é",
          "€",
          "🔔",
          "a\"é€🔔\u0002");

  @Test
  void a_text_has_as_many_bytes_as_are_written() {
    for (String text : TEXTS) {
      assertThat(JsonSize.ofText(text)).isEqualTo(bytes(Json.write(text)));
      assertThat(JsonSize.ofJson(text)).isEqualTo(bytes(Json.write(new RawJson(text))));
    }
  }

  @Test
  void the_pieces_of_a_value_are_the_value() {
    List<Map<String, Object>> value = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      value.add(Map.of("texts", TEXTS, "i", i, "raw", new RawJson("{\"a\": []}")));
    }
    var pieces = new ArrayList<String>();

    Json.write(value, pieces::add);

    assertThat(String.join("", pieces)).isEqualTo(Json.write(value));
    assertThat(pieces).hasSizeGreaterThan(5).allMatch(piece -> piece.length() < 10_000);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
