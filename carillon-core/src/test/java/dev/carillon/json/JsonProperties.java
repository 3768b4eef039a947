package dev.carillon.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The laws of reading and writing. */
class JsonProperties {
  @Property(cases = 1_000)
  void what_is_written_is_read_back_as_it_was(Gen any) {
    Object value = value(any, 4);

    assertThat(Json.read(Json.write(value))).isEqualTo(value);
  }

  @Property(cases = 1_000)
  void blanks_between_values_make_no_difference(Gen any) {
    Object value = value(any, 3);
    String blank = any.oneOf(" ", "\n", "\t", "\r\n  ");

    assertThat(Json.read(blank + Json.write(value) + blank)).isEqualTo(value);
  }

  @Property(cases = 5_000)
  void any_text_is_read_or_refused_as_json_and_nothing_else(Gen any) {
    var text = new StringBuilder(Json.write(value(any, 3)));
    for (int slips = any.number(1, 3); slips > 0 && !text.isEmpty(); slips--) {
      int at = any.number(0, text.length() - 1);
      if (any.percent(50)) {
        text.deleteCharAt(at);
      } else {
        text.insert(at, any.oneOf("\"", "\\", "{", "]", ",", ":", "-", "e", "9", "\\u00", " "));
      }
    }
    try {
      String written = Json.write(Json.read(text.toString()));
      assertThat(Json.write(Json.read(written))).isEqualTo(written);
    } catch (JsonException refused) {
      assertThat(refused).hasMessageNotContaining("null");
    }
  }

  private static @Nullable Object value(Gen any, int deepest) {
    return switch (any.number(deepest == 0 ? 2 : 0, 6)) {
      case 0 -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (int left = any.number(0, 4); left > 0; left--) {
          map.put(any.text(5), value(any, deepest - 1));
        }
        yield map;
      }
      case 1 -> {
        var list = new ArrayList<@Nullable Object>();
        for (int left = any.number(0, 4); left > 0; left--) {
          list.add(value(any, deepest - 1));
        }
        yield list;
      }
      case 2 -> any.number(-1_000_000_000_000L, 1_000_000_000_000L);
      case 3 -> new BigDecimal(any.number(-100_000, 100_000) + "." + any.number(0, 999));
      case 4 -> any.percent(50);
      case 5 -> null;
      default -> any.text(12);
    };
  }
}
