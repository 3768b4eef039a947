package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.standardwebhooks.Webhook;
import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import dev.carillon.targets.SettingsException;
import dev.carillon.targets.guard.AddressGuard;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers and bodies that are templates, on a real HTTP server. */
class HttpTemplateTest {
  private final Endpoint endpoint = Endpoint.answering(200, "");
  private final HttpSender sender =
      HttpSender.start(AddressGuard.allowing(List.of("127.0.0.1", "::1")));

  @AfterEach
  void close() {
    sender.close();
    endpoint.close();
  }

  private HttpTargetSettings settings(Map<String, Object> more) {
    var settings = new HashMap<String, Object>(Map.of("url", endpoint.url(), "timeout", "PT10S"));
    settings.putAll(more);
    return HttpTargetSettings.parse(settings);
  }

  private HttpTarget target(Map<String, Object> more) {
    return new HttpTarget(
        sender,
        settings(more),
        InstantSource.system(),
        gone -> {},
        (schedule, version) ->
            ZoneId.of(schedule.equals(Optional.of("nightly")) ? "Asia/Tokyo" : "UTC"));
  }

  private static Map<String, Object> header(String value) {
    return Map.of("template", true, "headers", Map.of("X-For", value));
  }

  @Test
  void headers_are_filled_in_with_dates_in_the_zone_of_the_schedule() throws Exception {
    TestRun.of("nightly")
        .attempt(2)
        .on(target(header("${key} ${slot-1d:yyyy-MM-dd HH:mm} ${attempt} ${payload.to} $${x}")))
        .outcome();

    assertThat(endpoint.only().header("x-for")).isEqualTo("nightly 2026-02-28 11:00 2 ops ${x}");
    assertThat(endpoint.only().body()).contains("schedule.fired");
  }

  @Test
  void a_body_takes_the_place_of_the_message_event_and_is_signed() throws Exception {
    TestRun.of("nightly")
        .payload(Payload.json("{\"to\": \"a\\\"b\\n\", \"n\": 5}"))
        .on(
            target(
                Map.of(
                    "template",
                    true,
                    "secret",
                    Hooks.SECRET,
                    "body",
                    Map.of(
                        "text", "for ${payload.to}",
                        "data", "${payload}",
                        "list", List.of("${payload.n}", "${run}", 1, true)))))
        .outcome();

    Endpoint.Received received = endpoint.only();
    assertThat(Json.read(received.body()))
        .isEqualTo(
            Json.read(
                """
                {"text": "for a\\"b\\n", "data": {"to": "a\\"b\\n", "n": 5},
                 "list": [5, "%s", 1, true]}
                """
                    .formatted(TestRun.adHoc().id())));
    assertThat(received.header("content-type")).isEqualTo("application/json");
    new Webhook(Hooks.SECRET).verify(received.body(), received.headers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\\r\\nX-Evil: 1",
        "a\\nb",
        "a\\rb",
        "\\u0001",
        "\\u0085",
        "\\u010d\\u010a",
        "Grüße",
        "\\u007f"
      })
  void a_value_that_would_make_another_header_fails_the_run_and_is_not_sent(String value)
      throws Exception {
    TestRun run =
        TestRun.of("nightly")
            .payload(Payload.json("{\"to\": \"%s\"}".formatted(value)))
            .on(target(header("to ${payload.to} with the secret abcdefgh")));

    assertThat(run.failed().failure().code()).isEqualTo("template_failed");
    assertThat(run.failed().failure().message())
        .contains("header X-For")
        .doesNotContain("abcdefgh")
        .doesNotContain("\r")
        .doesNotContain("\n");
    assertThat(run.failed().retryable()).isFalse();
    assertThat(endpoint.received()).isEmpty();
  }

  @Test
  void a_value_that_is_filled_in_is_not_filled_in_again() throws Exception {
    TestRun.of("nightly")
        .payload(Payload.of("to", "${slot} ${payload.to} $${"))
        .on(target(header("${payload.to}")))
        .outcome();

    assertThat(endpoint.only().header("x-for")).isEqualTo("${slot} ${payload.to} $${");
  }

  @Test
  void a_value_that_the_payload_has_not_fails_the_run() throws Exception {
    TestRun run =
        TestRun.of("nightly").on(target(Map.of("template", true, "body", "${payload.x}")));

    assertThat(run.failed().failure().code()).isEqualTo("template_failed");
    assertThat(run.failed().failure().message()).contains("no 'payload.x'");
    assertThat(endpoint.received()).isEmpty();
  }

  @Test
  void a_body_or_header_that_grows_too_large_fails_the_run() throws Exception {
    Payload large = Payload.of("to", "x".repeat(200_000));
    TestRun body =
        TestRun.of("nightly")
            .payload(large)
            .on(target(Map.of("template", true, "body", "${payload.to} ${payload.to}")));
    TestRun headers =
        TestRun.of("nightly")
            .payload(Payload.of("to", "x".repeat(4_000)))
            .on(
                target(
                    Map.of(
                        "template",
                        true,
                        "headers",
                        Map.of(
                            "A", "${payload.to}",
                            "B", "${payload.to}",
                            "C", "${payload.to}",
                            "D", "${payload.to}",
                            "E", "${payload.to}"))));

    assertThat(body.failed().failure().code()).isEqualTo("template_too_large");
    assertThat(headers.failed().failure().code()).isEqualTo("template_too_large");
    assertThat(endpoint.received()).isEmpty();
  }

  @Test
  void without_template_a_header_is_sent_as_it_is() throws Exception {
    TestRun.of("nightly")
        .on(target(Map.of("headers", Map.of("X-For", "${slot} ${nope"))))
        .outcome();

    assertThat(endpoint.only().header("x-for")).isEqualTo("${slot} ${nope");
  }

  @Test
  void the_text_around_placeholders_is_hidden_when_an_endpoint_sends_it_back() throws Exception {
    try (Endpoint echo =
        Endpoint.answering(500, "you sent Bearer s3cr3t-token-2026-03-01 and to ops")) {
      TestRun run =
          TestRun.of("nightly")
              .on(
                  target(
                      Map.of(
                          "url",
                          echo.url(),
                          "template",
                          true,
                          "headers",
                          Map.of("Authorization", "Bearer s3cr3t-token-${slot:yyyy-MM-dd}"))));

      assertThat(run.failed().failure().details().orElse(""))
          .contains("[hidden]")
          .doesNotContain("s3cr3t");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"template\": true, \"headers\": {\"X-A\": \"a ${slott}\"}}|/headers/X-A|at character 3: ",
        "{\"template\": true, \"body\": {\"a/b\": [1, \"${slot:b}\"]}}|/body/a~1b/1|'b' is no letter",
        "{\"template\": true, \"body\": \"${secret}\"}|/body|'secret', which is no name",
        "{\"body\": {\"a\": 1}}|/body|set template to true",
        "{\"template\": \"yes\"}|/template|must be true or false",
      })
  void a_wrong_template_is_refused_with_its_place(String json, String pointer, String message) {
    SettingsException refusal =
        catchThrowableOfType(
            SettingsException.class, () -> settings(new HashMap<>(Json.readObject(json))));

    assertThat(refusal.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo(pointer);
              assertThat(fault.message()).contains(message);
            });
  }

  @Test
  void the_body_is_shown_to_those_who_may_change_it_only() {
    HttpTargetSettings settings =
        settings(
            Map.of(
                "template",
                true,
                "headers",
                Map.of("X-A", "hush"),
                "body",
                Map.of("a", "${slot}")));

    assertThat(settings.shownToOwner())
        .containsEntry("template", true)
        .containsEntry("body", Map.of("a", "${slot}"))
        .containsEntry("headers", List.of("X-A"));
    assertThat(settings.shown()).containsEntry("template", true).doesNotContainKey("body");
    assertThat(settings.toString()).doesNotContain("hush");
  }

  @Test
  void a_test_message_is_filled_in_as_a_run_is() throws Exception {
    HttpTargetSettings settings =
        settings(
            Map.of("template", true, "body", Map.of("d", "${slot:yyyy}", "x", "${payload.x}")));

    assertThat(tested(settings, Payload.of("x", 1)).outcome()).isEqualTo(Outcome.succeeded());
    assertThat(Json.read(endpoint.only().body())).isEqualTo(Map.of("d", "2026", "x", 1L));
    TestDelivery missing = tested(settings, Payload.EMPTY);
    assertThat(((Outcome.Failed) missing.outcome()).failure().code()).isEqualTo("template_failed");
    assertThat(missing.took()).isEqualTo(Duration.ZERO);
  }

  private TestDelivery tested(HttpTargetSettings settings, Payload payload) throws Exception {
    var done = new CompletableFuture<TestDelivery>();
    Instant now = Instant.parse("2026-03-01T00:00:00Z");
    TestDelivery.send(sender, settings, "test-1", payload, now, done::complete);
    return done.get(30, TimeUnit.SECONDS);
  }
}
