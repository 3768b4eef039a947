package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import dev.carillon.target.Outcome;
import dev.carillon.targets.EndpointGone;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answer means for the run. */
class HttpAnswersTest {
  private final Hooks hooks = new Hooks();

  @AfterEach
  void close() {
    hooks.close();
  }

  private TestRun run(int status, String body) throws Exception {
    try (Endpoint endpoint = Endpoint.answering(status, body)) {
      TestRun run = TestRun.of("nightly").on(hooks.to(endpoint.url()));
      run.outcome();
      return run;
    }
  }

  private TestRun run(int status, String header, String value) throws Exception {
    try (Endpoint endpoint =
        Endpoint.answering(
            exchange -> {
              exchange.getResponseHeaders().set(header, value);
              Endpoint.reply(exchange, status, "");
            })) {
      TestRun run = TestRun.of("nightly").on(hooks.to(endpoint.url()));
      run.outcome();
      return run;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 299})
  void an_answer_of_the_two_hundreds_is_success(int status) throws Exception {
    assertThat(run(status, "").outcome()).isEqualTo(Outcome.succeeded());
  }

  @Test
  void an_endpoint_that_accepted_reports_later_by_the_id_it_named() throws Exception {
    assertThat(run(202, "").outcome()).isEqualTo(Outcome.accepted());
    assertThat(run(202, "{\"externalId\": \"job-7\", \"more\": [1]}").outcome())
        .isEqualTo(Outcome.accepted("job-7"));
    assertThat(run(202, "{\"externalId\": 42}").outcome()).isEqualTo(Outcome.accepted("42"));
    assertThat(run(202, "Carillon-External-Id", " job-8 ").outcome())
        .isEqualTo(Outcome.accepted("job-8"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "accepted",
        "[]",
        "{\"externalId\": null}",
        "{\"externalId\": {}}",
        "{\"externalId\": \" \"}",
        "{\"externalId\": \"a\\nb\"}",
        "{\"externalId\": \"a",
        "{\"externalId\": \"\\u0000\"}"
      })
  void an_id_that_cannot_be_kept_is_left_out(String body) throws Exception {
    assertThat(run(202, body).outcome()).isEqualTo(Outcome.accepted());
  }

  @Test
  void an_id_that_is_too_long_is_left_out() throws Exception {
    assertThat(run(202, "{\"externalId\": \"" + "x".repeat(501) + "\"}").outcome())
        .isEqualTo(Outcome.accepted());
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504, 599})
  void trouble_that_may_pass_is_tried_again(int status) throws Exception {
    Outcome.Failed failed = run(status, "busy").failed();

    assertThat(failed.retryable()).isTrue();
    assertThat(failed.retryAfter()).isEmpty();
    assertThat(failed.failure().code()).isEqualTo("http_" + status);
    assertThat(failed.failure().message()).endsWith("/hook answered " + status);
    assertThat(failed.failure().details()).contains("HTTP " + status + "\n\nbusy");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 422, 451})
  void a_refusal_is_final(int status) throws Exception {
    Outcome.Failed failed = run(status, "no").failed();

    assertThat(failed.retryable()).isFalse();
    assertThat(failed.failure().code()).isEqualTo("http_" + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_is_never_followed(int status) throws Exception {
    try (Endpoint inside = Endpoint.answering(200, "secret")) {
      Outcome.Failed failed = run(status, "location", inside.url()).failed();

      assertThat(failed.retryable()).isFalse();
      assertThat(failed.failure().code()).isEqualTo("redirect");
      assertThat(failed.failure().message())
          .endsWith(
              "answered %s and pointed to %s; redirects are never followed: set the target's url to where it leads"
                  .formatted(status, inside.url()));
      assertThat(inside.received()).isEmpty();
    }
  }

  @Test
  void asking_for_a_password_causes_no_second_request() throws Exception {
    try (Endpoint endpoint =
        Endpoint.answering(
            exchange -> {
              exchange.getResponseHeaders().set("www-authenticate", "Basic realm=\"x\"");
              Endpoint.reply(exchange, 401, "");
            })) {
      Outcome.Failed failed = TestRun.of("nightly").on(hooks.to(endpoint.url())).failed();

      assertThat(failed.failure().code()).isEqualTo("http_401");
      assertThat(endpoint.received()).hasSize(1);
    }
  }

  @Test
  void an_endpoint_that_is_gone_asks_for_its_schedule_to_be_paused() throws Exception {
    TestRun run = run(410, "");

    assertThat(run.failed().retryable()).isFalse();
    assertThat(run.failed().failure().code()).isEqualTo("gone");
    Await.until("a connection that ends", () -> !hooks.gone().isEmpty());
    EndpointGone endpointGone = hooks.gone().get(0);
    assertThat(endpointGone.schedule()).contains("nightly");
    assertThat(endpointGone.target()).isEqualTo("hook");
    assertThat(endpointGone.run()).isEqualTo(run.id());
    assertThat(endpointGone.reason()).endsWith("/hook answered 410: it wants no more messages");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void a_busy_endpoint_says_in_seconds_when_to_come_again(int status) throws Exception {
    assertThat(run(status, "retry-after", "120").failed())
        .extracting(Outcome.Failed::retryable, Outcome.Failed::retryAfter)
        .containsExactly(true, Optional.of(Duration.ofMinutes(2)));
  }

  @Test
  void a_busy_endpoint_says_by_a_date_when_to_come_again() throws Exception {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.now().plusSeconds(3_600).atOffset(ZoneOffset.UTC));

    assertThat(run(503, "retry-after", date).failed().retryAfter().orElseThrow())
        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(60));
  }

  @Test
  void other_answers_do_not_say_when_to_come_again() throws Exception {
    assertThat(run(500, "retry-after", "120").failed().retryAfter()).isEmpty();
  }

  @Test
  void an_answer_that_hides_controls_is_shown_harmlessly() throws Exception {
    String details = run(500, "a\u001b[31mb\u0000c\r\nd\u202ee").failed().failure().details().get();

    assertThat(details).isEqualTo("HTTP 500\n\na\\u001b[31mb\\u0000c\nd\\u202ee");
  }

  @Test
  void a_secret_that_an_endpoint_sends_back_is_not_shown() throws Exception {
    try (Endpoint endpoint =
        Endpoint.answering(
            exchange ->
                Endpoint.reply(
                    exchange,
                    500,
                    "you sent "
                        + exchange.getRequestHeaders().getFirst("authorization")
                        + " to "
                        + exchange.getRequestURI()
                        + " signed with "
                        + Hooks.SECRET))) {
      var settings =
          Map.<String, Object>of(
              "secret",
              Hooks.SECRET,
              "headers",
              Map.of("Authorization", "Bearer canary-0123456789"));
      HttpTarget target = hooks.to(endpoint.url() + "?token=canary-query", settings);
      Outcome.Failed failed = TestRun.of("nightly").on(target).failed();

      assertThat(failed.failure().details())
          .hasValueSatisfying(
              details -> assertThat(details).contains("you sent [hidden]", "signed with [hidden]"));
      assertThat(failed.failure().message() + failed.failure().code()).doesNotContain("canary");
      assertThat(target.settings().toString()).doesNotContain("canary-0", Hooks.SECRET);
    }
  }

  @Test
  void an_endpoint_that_echoes_the_url_has_its_query_hidden() throws Exception {
    for (int status : List.of(500, 400, 307, 410)) {
      try (var hooks = new Hooks();
          var endpoint =
              Endpoint.answering(
                  exchange -> {
                    String uri = exchange.getRequestURI().toString();
                    exchange.getResponseHeaders().set("Location", "https://elsewhere.test" + uri);
                    Endpoint.reply(exchange, status, "no route for " + uri + " or canary query");
                  })) {
        HttpTarget target = hooks.to(endpoint.url() + "?token=canary%20query&x=1", Map.of());
        Outcome.Failed failed = TestRun.of("nightly").on(target).failed();

        assertThat(failed.failure().toString()).contains(endpoint.url()).doesNotContain("canary");
        assertThat(failed.failure().details()).asString().contains("no route for /hook?[hidden]");
        assertThat(hooks.gone().toString()).doesNotContain("canary");
      }
    }
  }

  @Test
  void an_endpoint_that_echoes_a_credential_as_its_id_of_the_work_has_it_hidden() throws Exception {
    try (var hooks = new Hooks();
        var endpoint =
            Endpoint.answering(
                exchange -> {
                  String key = exchange.getRequestHeaders().getFirst("X-Key");
                  exchange.getResponseHeaders().set("Carillon-External-Id", "job-" + key);
                  Endpoint.reply(exchange, 202, "");
                })) {
      HttpTarget target =
          hooks.to(endpoint.url(), Map.of("headers", Map.of("X-Key", "canary-0123456789")));

      assertThat(TestRun.of("nightly").on(target).outcome())
          .isEqualTo(Outcome.accepted("job-[hidden]"));
    }
  }
}
