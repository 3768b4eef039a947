package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTest {
  @Test
  void values_are_written_in_blocks_and_in_their_order() throws JsonProcessingException {
    assertThat(
            Yaml.write(
                Json.read(
                    "{\"key\":\"k\",\"timing\":{\"cron\":\"0 2 * * *\"},\"tags\":[\"a\",\"b\"],\"max\":null}")))
        .isEqualTo(
            """
            key: k
            timing:
              cron: 0 2 * * *
            tags:
            - a
            - b
            max: null
            """);
  }

  @Test
  void texts_that_look_like_something_else_are_quoted() throws JsonProcessingException {
    assertThat(Yaml.write(Json.read("[\"true\",\"12\",\"null\",\"* * * * *\",\"\",\"0x1f\"]")))
        .isEqualTo(
            """
            - 'true'
            - '12'
            - 'null'
            - '* * * * *'
            - ''
            - '0x1f'
            """);
  }

  @Test
  void numbers_keep_every_digit() throws JsonProcessingException {
    assertThat(Yaml.write(Json.read("{\"a\":12345678901234567890,\"b\":1.10,\"c\":true}")))
        .isEqualTo("a: 12345678901234567890\nb: 1.10\nc: true\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no",
        "No",
        "on",
        "OFF",
        "y",
        "N",
        "yes",
        "~",
        "null",
        "1:30",
        "190:20:30",
        "0o7",
        "012",
        "1_000",
        "+12",
        "0b101",
        "1e3",
        "1.5",
        ".5",
        "6.8523015e+5",
        ".inf",
        "-.INF",
        ".NaN",
        "2027-03-26",
        "2027-03-26T12:00:00Z",
        "2027-03-26 12:00:00 +1",
        "=",
        "<<",
        "12,000"
      })
  void what_readers_of_yaml_1_1_take_for_something_else_is_quoted(String text) {
    assertThat(Yaml.write(Json.object().put("a", text))).isEqualTo("a: '" + text + "'\n");
    assertThat(Yaml.write(Json.object().put(text, "a"))).isEqualTo("'" + text + "': a\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 2 * * *", "PT30S", "nightly", "10.0.0.0/8", "north", "1h30m", "v1"})
  void texts_that_nothing_mistakes_stay_as_they_are(String text) {
    assertThat(Yaml.write(Json.object().put("a", text))).isEqualTo("a: " + text + "\n");
  }

  @Test
  void a_number_with_an_exponent_has_a_point_without_which_it_would_be_a_text()
      throws JsonProcessingException {
    assertThat(Yaml.write(Json.read("[1e300,1.5E-7,2e2]")))
        .isEqualTo("- 1.0E+300\n- 1.5E-7\n- 2.0E+2\n");
  }
}
