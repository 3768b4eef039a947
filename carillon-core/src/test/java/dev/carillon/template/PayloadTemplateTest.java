package dev.carillon.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTemplateTest {
  private static final Instant SLOT = Instant.parse("2026-03-02T02:00:00Z");

  private static TemplateValues values(int attempt) {
    return new TemplateValues(
        SLOT, SLOT, ZoneOffset.UTC, Optional.of("nightly"), "run-1", "abc", attempt);
  }

  private static @Nullable Object expanded(String payload) {
    return Json.read(PayloadTemplate.parse(Payload.json(payload)).expand(values(2)).json());
  }

  private static TemplateSyntaxException refusal(String payload) {
    return catchThrowableOfType(
        TemplateSyntaxException.class, () -> PayloadTemplate.parse(Payload.json(payload)));
  }

  @Test
  void texts_at_any_depth_are_filled_in_and_names_are_not() {
    assertThat(
            expanded(
                """
                {"day": "${slot:yyyy-MM-dd}", "files": [{"name": "a-${attempt}.csv"}, 7, null, true],
                 "${slot}": "$${slot}"}
                """))
        .isEqualTo(
            Json.read(
                """
                {"day": "2026-03-02", "files": [{"name": "a-2.csv"}, 7, null, true],
                 "${slot}": "${slot}"}
                """));
  }

  @Test
  void a_text_that_is_one_placeholder_keeps_the_type_of_its_value() {
    assertThat(
            expanded(
                """
                {"n": 12.50, "o": {"a": [1]}, "z": null, "b": false,
                 "copy": ["${payload.n}", "${payload.o}", "${payload.z}", "${payload.b}", "${attempt}",
                          "${payload.o.a.0}", "${slot}"],
                 "text": "${payload.n} ${payload.o}"}
                """))
        .isEqualTo(
            Json.read(
                """
                {"n": 12.50, "o": {"a": [1]}, "z": null, "b": false,
                 "copy": [12.50, {"a": [1]}, null, false, 2, 1, "2026-03-02T02:00:00Z"],
                 "text": "12.50 {\\"a\\":[1]}"}
                """));
  }

  @Test
  void a_value_may_take_one_that_is_filled_in_itself_in_any_order() {
    assertThat(
            expanded(
                """
                {"file": "report-${payload.day}.csv", "mail": "see ${payload.file}",
                 "day": "${slot-1d:yyyyMMdd}", "all": "${payload.nested}",
                 "nested": {"f": ["${payload.file}"]}}
                """))
        .isEqualTo(
            Json.read(
                """
                {"file": "report-20260301.csv", "mail": "see report-20260301.csv",
                 "day": "20260301", "all": {"f": ["report-20260301.csv"]},
                 "nested": {"f": ["report-20260301.csv"]}}
                """));
  }

  @Test
  void what_a_value_was_filled_in_with_is_not_filled_in_again() {
    assertThat(
            expanded(
                """
                {"a": "$${payload.b}", "b": "${payload.a}", "c": "${payload.b}"}
                """))
        .isEqualTo(
            Json.read(
                """
                {"a": "${payload.b}", "b": "${payload.b}", "c": "${payload.b}"}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\": \"x ${payload.a}\"}|/a|at character 3: 'payload.a' contains this text",
        "{\"a\": \"${payload}\"}|/a|'payload' contains this text",
        "{\"a\": {\"b\": [\"${payload.a}\"]}}|/a/b/0|'payload.a' contains this text",
        "{\"a\": \"${payload.b}\", \"b\": \"${payload.a}\"}|/b|'payload.a' contains this text",
        "{\"a\": \"${payload.c}\"}|/a|at character 1: the payload has no 'payload.c'; add it",
        "{\"a/b~\": {\"c\": \"${payload.l.2}\"}, \"l\": [1, 2]}|/a~1b~0/c|no 'payload.l.2'",
        "{\"a\": \"${payload.l.01}\", \"l\": [1, 2]}|/a|no 'payload.l.01'",
        "{\"a\": \"${payload.t.x}\", \"t\": \"text\"}|/a|no 'payload.t.x'",
        "{\"a\": [1, \"${slot:QQQQQQQ}\"]}|/a/1|at character 8: a pattern has no",
      })
  void what_cannot_be_filled_in_is_refused_with_its_place(
      String payload, String pointer, String reason) {
    TemplateSyntaxException refusal = refusal(payload);

    assertThat(refusal.pointer()).isEqualTo(pointer);
    assertThat(refusal.reason()).contains(reason);
    assertThat(refusal).hasMessage("payload" + pointer + ": " + refusal.reason());
    assertThat(refusal.field()).contains("payload");
  }

  @Test
  void a_payload_without_placeholders_is_taken_as_it_is() {
    Payload payload = Payload.json("{\"price\": \"$5\", \"n\": [1, {}]}");
    PayloadTemplate template = PayloadTemplate.parse(payload);

    assertThat(template.isConstant()).isTrue();
    assertThat(template.expand(values(1))).isSameAs(payload);
  }

  @Test
  void a_payload_that_doubles_with_each_value_fails_and_takes_no_memory() {
    var content = new LinkedHashMap<String, Object>();
    content.put("v0", "0123456789");
    for (int i = 1; i <= 60; i++) {
      content.put("v" + i, "${payload.v%s}${payload.v%s}".formatted(i - 1, i - 1));
    }

    assertTooLarge(Payload.of(content));
  }

  @Test
  void a_payload_whose_lists_double_fails_and_takes_no_memory() {
    var content = new LinkedHashMap<String, Object>();
    content.put("v0", List.of("x"));
    for (int i = 1; i <= 40; i++) {
      content.put(
          "v" + i, List.of("${payload.v%s}".formatted(i - 1), "${payload.v%s}".formatted(i - 1)));
    }

    assertTooLarge(Payload.of(content));
  }

  private static void assertTooLarge(Payload payload) {
    assertThatThrownBy(() -> PayloadTemplate.parse(payload).expand(values(1)))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("more than 262144 bytes")
        .extracting(e -> ((TemplateException) e).failure().code())
        .isEqualTo("template_too_large");
  }

  @Test
  void values_may_take_one_another_in_a_long_line() {
    var content = new LinkedHashMap<String, Object>();
    int last = 8_000;
    for (int i = last; i >= 1; i--) {
      content.put("v" + i, "${payload.v%s}".formatted(i - 1));
    }
    content.put("v0", "${attempt}");

    Payload payload = PayloadTemplate.parse(Payload.of(content)).expand(values(2));

    assertThat(payload.number("v" + last)).contains(2L);
  }

  @Test
  void values_that_would_be_nested_too_deep_are_refused() {
    var content = new LinkedHashMap<String, Object>();
    content.put("v0", List.of());
    for (int i = 1; i <= 60; i++) {
      content.put("v" + i, List.of("${payload.v%s}".formatted(i - 1)));
    }

    assertThatThrownBy(() -> PayloadTemplate.parse(Payload.of(content)))
        .isInstanceOf(TemplateSyntaxException.class)
        .hasMessageContaining("nested 50 deep");
  }
}
