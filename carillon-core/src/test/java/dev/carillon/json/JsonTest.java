package dev.carillon.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void every_kind_of_value_is_read() {
    assertThat(Json.read(" [1, -2.50, 1e3, \"a\", true, false, null, {}, [ ] ]\n"))
        .isEqualTo(
            Arrays.<@Nullable Object>asList(
                1L,
                new BigDecimal("-2.50"),
                new BigDecimal("1e3"),
                "a",
                true,
                false,
                null,
                Map.of(),
                List.of()));
  }

  @Test
  void escapes_are_read_as_what_they_stand_for() {
    assertThat(Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDD14\""))
        .isEqualTo("\"\\/\b\f\n\r\té\uD83D\uDD14");
  }

  @Test
  void text_is_written_with_the_escapes_it_needs_and_no_others() {
    assertThat(Json.write("\"\\/\b\f\n\r\t\u001fé\uD83D\uDD14"))
        .isEqualTo("\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u001fé\uD83D\uDD14\"");
  }

  @Test
  void every_kind_of_value_is_written() {
    var map = new LinkedHashMap<String, @Nullable Object>();
    map.put("none", null);
    map.put("yes", true);
    map.put(
        "numbers",
        List.of(1, 2L, (short) 3, (byte) 4, 0.5, 1.5f, new BigDecimal("6.70"), BigInteger.TEN));
    map.put("empty", List.of(Map.of(), List.of()));

    assertThat(Json.write(map))
        .isEqualTo(
            "{\"none\":null,\"yes\":true,\"numbers\":[1,2,3,4,0.5,1.5,6.70,10],"
                + "\"empty\":[{},[]]}");
  }

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "[1,]|unexpected ']' in JSON at character 4",
        "[1 2]|unexpected '2' in JSON at character 4",
        "{\"a\" 1}|unexpected '1' in JSON at character 6",
        "{\"a\":1,}|unexpected '}' in JSON at character 8",
        "{a:1}|unexpected 'a' in JSON at character 2",
        "{1:1}|unexpected '1' in JSON at character 2",
        "nul|unexpected 'n' in JSON at character 1",
        "True|unexpected 'T' in JSON at character 1",
        "1 1|unexpected '1' in JSON at character 3",
        "'a'|unexpected ''' in JSON at character 1",
        "01|unexpected '0' in JSON at character 1",
        "-|unexpected '-' in JSON at character 1",
        "+1|unexpected '+' in JSON at character 1",
        ".5|unexpected '.' in JSON at character 1",
        "1.x|unexpected 'x' in JSON at character 3",
        "1ex|unexpected 'x' in JSON at character 3",
        "NaN|unexpected 'N' in JSON at character 1",
        "\"\\x\"|unexpected 'x' in JSON at character 3",
        "\"\\u00g0\"|unexpected 'g' in JSON at character 6",
        "1.|the JSON ends too early, after 2 characters",
        "1e+|the JSON ends too early, after 3 characters",
        "[|the JSON ends too early, after 1 character",
        "[1|the JSON ends too early, after 2 characters",
        "{\"a\"|the JSON ends too early, after 4 characters",
        "\"a|the JSON ends too early, after 2 characters",
        "``|the JSON ends too early, after 0 characters"
      })
  void what_is_no_json_is_refused_with_where_it_stops_being_one(String text, String problem) {
    assertThatThrownBy(() -> Json.read(text)).isInstanceOf(JsonException.class).hasMessage(problem);
  }

  @Test
  void a_line_break_or_other_control_inside_text_is_refused() {
    assertThatThrownBy(() -> Json.read("\"a\nb\""))
        .isInstanceOf(JsonException.class)
        .hasMessage("unexpected '\n' in JSON at character 3");
  }

  @Test
  void digits_of_other_scripts_are_no_hex() {
    assertThatThrownBy(() -> Json.read("\"\\u００００\""))
        .isInstanceOf(JsonException.class)
        .hasMessage("unexpected '０' in JSON at character 4");
  }

  @Test
  void a_name_given_twice_is_refused() {
    assertThatThrownBy(() -> Json.read("[{\"a\":1,\"b\":{\"a\":2},\"a\":null}]"))
        .isInstanceOf(JsonException.class)
        .hasMessage("'a' is given twice in one JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\u0000\"", "{\"a\\u0000\": 1}", "\"\\uD83D\"", "\"\\uDD14\\uD83D\""})
  void text_that_jsonb_cannot_store_is_refused(String text) {
    assertThatThrownBy(() -> Json.read(text))
        .isInstanceOf(JsonException.class)
        .hasMessage("text must not hold \\u0000 or half of a surrogate pair");
  }

  @Test
  void nesting_has_an_end_in_both_directions() {
    String deepest = "[".repeat(50) + "1" + "]".repeat(50);
    Object value = Json.read(deepest);

    assertThat(Json.write(value)).isEqualTo(deepest);
    assertThatThrownBy(() -> Json.read("[" + deepest + "]"))
        .isInstanceOf(JsonException.class)
        .hasMessage("JSON may be nested 50 deep");
    assertThat(Json.write(Arrays.asList(value))).isEqualTo("[" + deepest + "]");
    Object deeper = value;
    for (int i = 0; i < 51; i++) {
      deeper = Arrays.asList(deeper);
    }
    Object tooDeep = deeper;
    assertThatThrownBy(() -> Json.write(tooDeep))
        .isInstanceOf(JsonException.class)
        .hasMessage("JSON may be nested 100 deep");
  }

  @Test
  void json_that_is_known_is_written_as_it_stands() {
    assertThat(Json.write(Map.of("a", new RawJson("[1, 2]")))).isEqualTo("{\"a\":[1, 2]}");
  }

  @Test
  void whole_numbers_are_longs_and_others_keep_every_digit() {
    assertThat(Json.read("-99999999999999999")).isEqualTo(-99_999_999_999_999_999L);
    assertThat(Json.read("9223372036854775808")).isEqualTo(new BigDecimal("9223372036854775808"));
    assertThat(Json.read("0.10000000000000000000001"))
        .isEqualTo(new BigDecimal("0.10000000000000000000001"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e1001", "1e-1002", "1e99999999999", "-1E+4000"})
  void an_exponent_out_of_bounds_is_refused(String text) {
    assertThatThrownBy(() -> Json.read(text))
        .isInstanceOf(JsonException.class)
        .hasMessage("a number's exponent may be up to 1000");
  }

  @Test
  void a_number_longer_than_any_use_is_refused() {
    assertThat(Json.read("1".repeat(100))).isEqualTo(new BigDecimal("1".repeat(100)));
    assertThatThrownBy(() -> Json.read("1".repeat(101)))
        .isInstanceOf(JsonException.class)
        .hasMessage("a number may have 100 characters");
  }

  @Test
  void what_json_cannot_say_is_not_written() {
    assertThatThrownBy(() -> Json.write(Double.NaN))
        .isInstanceOf(JsonException.class)
        .hasMessage("JSON has no number NaN");
    assertThatThrownBy(() -> Json.write(Map.of(1, 2)))
        .isInstanceOf(JsonException.class)
        .hasMessage("the names in JSON are text; was 1");
  }
}
