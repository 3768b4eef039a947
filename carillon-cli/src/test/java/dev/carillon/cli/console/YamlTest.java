package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;

class YamlTest {
  @Test
  void values_are_written_in_blocks_and_in_their_order() throws JsonProcessingException {
    assertThat(
            Yaml.write(
                Json.read(
                    "{\"key\":\"n\",\"timing\":{\"cron\":\"0 2 * * *\"},\"tags\":[\"a\",\"b\"],\"max\":null}")))
        .isEqualTo(
            """
            key: n
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
}
