package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.target.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an endpoint receives. */
class HttpTargetTest {
  private final Endpoint endpoint = Endpoint.answering(200, "");
  private final Hooks hooks = new Hooks();

  @AfterEach
  void close() {
    hooks.close();
    endpoint.close();
  }

  @Test
  void an_endpoint_receives_the_message_event_of_the_run() throws Exception {
    TestRun run = TestRun.of("nightly").attempt(2).on(hooks.to(endpoint.url()));

    assertThat(run.outcome()).isEqualTo(Outcome.succeeded());
    Endpoint.Received received = endpoint.only();
    assertThat(received.method()).isEqualTo("POST");
    assertThat(received.uri()).isEqualTo("/hook");
    assertThat(received.header("content-type")).isEqualTo("application/json");
    assertThat(Json.read(received.body()))
        .isEqualTo(
            Json.read(
                """
                {"id": "key of nightly", "type": "schedule.fired", "time": "2026-03-01T02:00:04Z",
                 "source": {"channel": "scheduler", "connector_id": "nightly"},
                 "slot": "2026-03-01T02:00:00Z", "attempt": 2, "trigger": "scheduled", "version": 3,
                 "payload": {"to": "ops"}}
                """));
  }

  @Test
  void headers_name_the_run_its_attempt_and_its_trace() throws Exception {
    HttpTarget target = hooks.to(endpoint.url());
    TestRun.of("nightly").on(target).outcome();
    TestRun.of("nightly").attempt(2).on(target).outcome();

    Endpoint.Received first = endpoint.received().get(0);
    Endpoint.Received second = endpoint.received().get(1);
    assertThat(first.header("webhook-id")).isEqualTo(TestRun.adHoc().id().toString());
    assertThat(first.header("idempotency-key")).isEqualTo("key of nightly");
    assertThat(second.header("idempotency-key")).isEqualTo("key of nightly");
    assertThat(first.header("carillon-attempt")).isEqualTo("1");
    assertThat(second.header("carillon-attempt")).isEqualTo("2");
    assertThat(first.header("user-agent")).startsWith("Carillon/");
    assertThat(first.header("accept-encoding")).isEmpty();
    String trace = first.header("traceparent").substring(0, 36);
    assertThat(first.header("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    assertThat(second.header("traceparent"))
        .startsWith(trace)
        .isNotEqualTo(first.header("traceparent"));
  }

  @Test
  void the_specifications_own_library_accepts_the_signature() throws Exception {
    Payload payload = Payload.of("text", "Grüße, 世界 \u007f \uD83D\uDE00");
    TestRun.of("nightly")
        .payload(payload)
        .on(hooks.to(endpoint.url(), Map.of("secret", Hooks.SECRET)))
        .outcome();

    Endpoint.Received received = endpoint.only();
    var webhook = new Webhook(Hooks.SECRET);
    assertThatCode(() -> webhook.verify(received.body(), received.headers()))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> webhook.verify(received.body() + " ", received.headers()))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void while_secrets_change_receivers_of_both_accept_the_signature() throws Exception {
    String next = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    TestRun.of("nightly")
        .on(hooks.to(endpoint.url(), Map.of("secrets", List.of(Hooks.SECRET, next))))
        .outcome();

    Endpoint.Received received = endpoint.only();
    new Webhook(Hooks.SECRET).verify(received.body(), received.headers());
    new Webhook(next).verify(received.body(), received.headers());
    assertThatThrownBy(
            () ->
                new Webhook("whsec_" + "AAAA".repeat(8))
                    .verify(received.body(), received.headers()))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void without_a_secret_there_is_no_signature() throws Exception {
    TestRun.of("nightly").on(hooks.to(endpoint.url())).outcome();

    assertThat(endpoint.only().header("webhook-signature")).isEmpty();
  }

  @Test
  void a_user_chooses_method_query_and_headers() throws Exception {
    TestRun.of("nightly")
        .on(
            hooks.to(
                endpoint.url() + "?team=a%20b&x",
                Map.of("method", "PUT", "headers", Map.of("Authorization", "Bearer abc"))))
        .outcome();

    assertThat(endpoint.only().method()).isEqualTo("PUT");
    assertThat(endpoint.only().uri()).isEqualTo("/hook?team=a%20b&x");
    assertThat(endpoint.only().header("authorization")).isEqualTo("Bearer abc");
  }

  @Test
  void patch_and_an_address_without_a_path_work_as_well() throws Exception {
    TestRun.of("nightly")
        .on(hooks.to("http://127.0.0.1:" + endpoint.port(), Map.of("method", "PATCH")))
        .outcome();

    assertThat(endpoint.only().method()).isEqualTo("PATCH");
    assertThat(endpoint.only().uri()).isEqualTo("/");
  }

  @Test
  void the_largest_payload_and_the_deepest_arrive_whole() throws Exception {
    HttpTarget target = hooks.to(endpoint.url());
    Payload large = Payload.of("text", "x".repeat(Payload.MAX_SIZE - 20));
    Payload deep = Payload.json("{\"a\":".repeat(Json.DEEPEST) + "1" + "}".repeat(Json.DEEPEST));

    TestRun.of("nightly").payload(large).on(target).outcome();
    TestRun.of("nightly").payload(deep).on(target).outcome();

    assertThat(endpoint.received().get(0).body()).endsWith(",\"payload\":" + large.json() + "}");
    assertThat(endpoint.received().get(1).body()).endsWith(",\"payload\":" + deep.json() + "}");
  }

  @Test
  void a_run_without_a_schedule_says_so() throws Exception {
    TestRun.adHoc().on(hooks.to(endpoint.url())).outcome();

    assertThat(endpoint.only().body())
        .contains("\"connector_id\":null", "\"trigger\":\"ad_hoc\"", "\"version\":0");
  }
}
