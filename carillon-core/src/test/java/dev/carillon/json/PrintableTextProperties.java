package dev.carillon.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.HostileGen;
import dev.carillon.fixture.Property;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrintableTextProperties {
  @Property(cases = 2_000)
  void nothing_harmful_is_left(HostileGen gen) {
    String text = gen.hostile();

    assertThat(HostileGen.harmful(PrintableText.line(text))).isEqualTo(-1);
    assertThat(PrintableText.line(text)).doesNotContain("\n");
    assertThat(HostileGen.harmful(PrintableText.lines(text).replace('\t', ' '))).isEqualTo(-1);
    assertThat(PrintableText.line(PrintableText.line(text))).isEqualTo(PrintableText.line(text));
    assertThat(PrintableText.isPrintable(text)).isEqualTo(PrintableText.line(text).equals(text));
  }

  @Property(cases = 2_000)
  void json_has_nothing_harmful_and_means_the_same(HostileGen gen) {
    Map<String, Object> value = Map.of(gen.hostile(), List.of(gen.hostile(), gen.hostile()));
    Map<String, Object> readable = Map.of(storable(gen), List.of(storable(gen), storable(gen)));

    assertThat(HostileGen.harmful(Json.write(value))).isEqualTo(-1);
    assertThat(Json.read(Json.write(readable))).isEqualTo(readable);
  }

  @Property(cases = 500)
  void raw_json_has_nothing_harmful_and_means_the_same(HostileGen gen) {
    String text = storable(gen);
    String raw = "{\n\t\"a\":\r\n\"" + quotedByHand(text) + "\"}";
    String written = Json.write(Map.of("payload", new RawJson(raw)));

    assertThat(HostileGen.harmful(written.replace('\t', ' ').replace('\r', ' '))).isEqualTo(-1);
    assertThat(Json.readObject(written)).isEqualTo(Map.of("payload", Map.of("a", text)));
  }

  /* What Json reads: it refuses what PostgreSQL cannot hold. */
  private static String storable(HostileGen gen) {
    String text = gen.hostile();
    while (!Json.isStorable(text)) {
      text = gen.hostile();
    }
    return text;
  }

  /* As little as JSON demands. */
  private static String quotedByHand(String text) {
    var quoted = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return quoted.toString();
  }

  @Test
  void letters_of_every_script_and_joined_emoji_stay() {
    for (String text : List.of("Käse", "日本", "مرحبا", "👩\u200D💻", "می\u200Cخواهم", "e\u0301")) {
      assertThat(PrintableText.line(text)).isEqualTo(text);
    }
  }

  @Test
  void what_is_escaped_looks_as_in_json() {
    assertThat(PrintableText.line("a\u001b[2J\r\n\tb\u009b\u202e\uD800"))
        .isEqualTo("a\\u001b[2J\\r\\n\\tb\\u009b\\u202e\\ud800");
    assertThat(PrintableText.line("\uDB40\uDC41")).isEqualTo("\\udb40\\udc41");
    assertThat(PrintableText.lines("a\n\tb\rc")).isEqualTo("a\n\tb\\rc");
  }
}
