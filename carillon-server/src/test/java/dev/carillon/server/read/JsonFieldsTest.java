package dev.carillon.server.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.model.RunState;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.Problem.FieldError;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.Request;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
  @Test
  void fields_are_read_by_name_and_kind() {
    JsonFields fields =
        fields(
            """
            {"text": "a", "wait": "P1DT2H", "at": "2026-03-01T02:00:00+01:00", "count": 3, "factor": 1.5,
             "on": true, "state": "failed", "inner": {"x": "y"}, "list": ["a", "b"], "none": null}
            """);

    assertThat(fields.text("text")).contains("a");
    assertThat(fields.duration("wait")).contains(Duration.ofHours(26));
    assertThat(fields.instant("at")).contains(Instant.parse("2026-03-01T01:00:00Z"));
    assertThat(fields.whole("count", 1, 3)).contains(3L);
    assertThat(fields.number("factor")).contains(1.5);
    assertThat(fields.number("count")).contains(3.0);
    assertThat(fields.flag("on")).contains(true);
    assertThat(fields.word("state", RunState.class)).contains(RunState.FAILED);
    assertThat(fields.object("inner").orElseThrow().text("x")).contains("y");
    assertThat(fields.texts("list", 2)).contains(List.of("a", "b"));
    assertThat(fields.text("none")).isEmpty();
    fields.done();
  }

  @Test
  void every_error_is_reported_with_its_place() {
    JsonFields fields =
        fields(
            """
            {"text": 1, "wait": "3 days", "at": "yesterday", "count": 4, "state": "faild", "list": ["a", 1],
             "inner": {"x": 1, "zz": 2}, "a/b~c": 0}
            """);
    fields.text("text");
    fields.duration("wait");
    fields.instant("at");
    fields.whole("count", 1, 3);
    fields.word("state", RunState.class);
    fields.texts("list", 2);
    fields.object("inner").orElseThrow().text("x");

    assertThat(problem(fields::done).errors())
        .containsExactly(
            FieldError.at("/text", "must be a text"),
            FieldError.at(
                "/wait", "'3 days' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M"),
            FieldError.at("/at", "'yesterday' is no instant; write it as 2026-03-01T02:00:00Z"),
            FieldError.at("/count", "must be a whole number from 1 to 3"),
            FieldError.at(
                "/state",
                "'faild' is none of pending, running, succeeded, failed, canceled, skipped; did you mean failed?"),
            FieldError.at("/list/1", "must be a text"),
            FieldError.at("/inner/x", "must be a text"),
            FieldError.at(
                "/a~1b~0c",
                "there is no field 'a/b~c' here; known are text, wait, at, count, state, list, inner"),
            FieldError.at("/inner/zz", "there is no field 'zz' here; known are x"));
  }

  @Test
  void the_error_of_an_unknown_field_names_the_nearest() {
    JsonFields fields = fields("{\"taget\": \"a\"}");
    fields.text("target");

    assertThat(problem(fields::done).detail())
        .isEqualTo("there is no field 'taget' here; did you mean 'target'?");
  }

  @Test
  void very_many_unknown_fields_are_refused_at_the_cost_of_those_that_are_named() {
    JsonFields fields =
        fields(
            IntStream.range(0, 60_000)
                .mapToObj("\"targe%s\": 1"::formatted)
                .collect(Collectors.joining(", ", "{", "}")));
    for (int i = 0; i < 300; i++) {
      fields.text("target" + i);
    }
    long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    List<FieldError> errors = problem(fields::done).errors();

    assertThat(errors).hasSize(50);
    assertThat(
            Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun))
        .isLessThan(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "1",
        "\"a\"",
        "null",
        "{\"a\":1,\"a\":2}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":1e999999999}",
        "{\"a\":01}",
        "{a:1}",
        "{\"a\":1}}",
        "{'a':1}"
      })
  void what_is_no_json_object_is_malformed(String body) {
    assertThat(problem(() -> fields(body)).kind().status()).isEqualTo(400);
  }

  @Test
  void nesting_is_bounded() {
    String deep = "{\"a\":" + "[".repeat(60) + "]".repeat(60) + "}";

    assertThat(problem(() -> fields(deep)).detail()).isEqualTo("JSON may be nested 50 deep.");
  }

  @Test
  void bytes_that_are_no_utf_8_are_malformed() {
    byte[] latin = "{\"a\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(problem(() -> JsonFields.of(Request.of("PUT", "/").body(latin))).detail())
        .isEqualTo("The body is not UTF-8.");
  }

  @Test
  void a_missing_body_is_refused_unless_none_is_needed() {
    assertThat(problem(() -> JsonFields.of(Request.of("POST", "/"))).detail())
        .isEqualTo("The body is missing; send a JSON object.");
    assertThat(JsonFields.ofAny(Request.of("POST", "/")).has("a")).isFalse();
  }

  @Test
  void at_most_fifty_errors_are_reported() {
    var fields = JsonFields.of(Map.of());
    for (int i = 0; i < 200; i++) {
      fields.error("a" + i, "wrong");
    }

    assertThat(problem(fields::done).errors()).hasSize(50);
  }

  @Test
  void durations_are_written_with_days() {
    assertThat(ContractText.of(Duration.ofDays(3))).isEqualTo("P3D");
    assertThat(ContractText.of(Duration.ofHours(49))).isEqualTo("P2DT1H");
    assertThat(ContractText.of(Duration.ofSeconds(90))).isEqualTo("PT1M30S");
    assertThat(ContractText.of(Duration.ZERO)).isEqualTo("PT0S");
  }

  private static JsonFields fields(String json) {
    return JsonFields.of(Request.of("PUT", "/").body(json));
  }

  private static Problem problem(ThrowingCallable work) {
    return catchThrowableOfType(ProblemException.class, work).problem();
  }
}
