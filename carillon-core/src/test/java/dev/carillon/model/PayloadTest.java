package dev.carillon.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
  @Test
  void values_are_read_back_by_name() {
    Payload payload =
        Payload.json("{\"region\": \"EU\", \"days\": 7, \"rate\": 0.5, \"none\": null}");

    assertThat(payload.text("region")).contains("EU");
    assertThat(payload.text("days")).contains("7");
    assertThat(payload.text("none")).isEmpty();
    assertThat(payload.text("missing")).isEmpty();
    assertThat(payload.number("days")).contains(7L);
    assertThat(payload.number("rate")).isEmpty();
    assertThat(payload.number("region")).isEmpty();
    assertThat(payload.content()).containsEntry("rate", new BigDecimal("0.5"));
  }

  @Test
  void a_payload_is_kept_without_blanks_and_in_the_order_given() {
    assertThat(Payload.json("{ \"b\" : [1, true] , \"a\" : {} }"))
        .hasToString("{\"b\":[1,true],\"a\":{}}");
  }

  @Test
  void payloads_of_the_same_content_are_equal_however_they_are_written() {
    Payload one = Payload.stored("{\"a\": 1, \"b\": [2]}");
    Payload other = Payload.json("{\"b\":[2],\"a\":1}");

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(Payload.of("a", 1)).isNotEqualTo("{}");
    assertThat(Payload.of(Map.of())).isSameAs(Payload.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "\"text\"", "null"})
  void only_an_object_is_a_payload(String json) {
    assertThatThrownBy(() -> Payload.json(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a JSON object, such as {\"name\": 1}");
  }

  @Test
  void a_payload_that_is_too_large_is_refused_with_its_size_in_bytes() {
    String text = "é".repeat(131_068);

    assertThat(Payload.of("a", text).json()).endsWith("é\"}");
    assertThatThrownBy(() -> Payload.of("a", text + "e"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a payload may have 262144 bytes of JSON; this one has 262145; store the data elsewhere"
                + " and pass where it is");
  }

  @Test
  void a_payload_the_database_cannot_store_is_refused_when_it_is_made() {
    for (String text : List.of("\0", "\uD83D")) {
      assertThatThrownBy(() -> Payload.of("a", text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("text must not hold \\u0000 or half of a surrogate pair");
    }
  }

  @Test
  void a_number_that_could_not_be_read_again_is_refused_when_it_is_made() {
    assertThat(Payload.json("{\"a\": 1e90}").content()).containsKey("a");
    assertThatThrownBy(() -> Payload.json("{\"a\": 1e176}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a number may have 100 characters, written without an exponent");
  }

  @Test
  void a_value_that_is_no_json_is_refused_with_its_type() {
    assertThatThrownBy(() -> Payload.of("a", Instant.EPOCH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a java.time.Instant is no JSON value; use text, numbers, booleans, lists and"
                + " maps");
  }
}
