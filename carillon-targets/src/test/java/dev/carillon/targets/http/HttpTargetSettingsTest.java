package dev.carillon.targets.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.json.Json;
import dev.carillon.targets.SettingsException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTargetSettingsTest {
  private static HttpTargetSettings parse(String json) {
    return HttpTargetSettings.parse(Json.readObject(json));
  }

  private static List<SettingsException.Fault> faults(String json) {
    return catchThrowableOfType(SettingsException.class, () -> parse(json)).faults();
  }

  private static SettingsException.Fault fault(String json) {
    assertThat(faults(json)).hasSize(1);
    return faults(json).get(0);
  }

  @Test
  void only_the_url_is_needed() {
    assertThat(parse("{\"url\": \"https://example.com/hook\"}"))
        .isEqualTo(
            new HttpTargetSettings(
                URI.create("https://example.com/hook"),
                "POST",
                Map.of(),
                List.of(),
                Duration.ofSeconds(30),
                Optional.empty(),
                Optional.empty(),
                100));
  }

  @Test
  void all_settings_are_read() {
    HttpTargetSettings settings =
        parse(
            """
            {"type": "http", "url": "http://[2606:2800:21f::1]:8443/a?b=c", "method": "PATCH",
             "headers": {"X-Team": "ops"}, "secrets": ["%s", "plain secrets are as long as this"],
             "timeout": "PT1M", "maxConcurrent": 2000}
            """
                .formatted(Hooks.SECRET));

    assertThat(settings.url().getPort()).isEqualTo(8443);
    assertThat(settings.headers()).isEqualTo(Map.of("X-Team", "ops"));
    assertThat(settings.secrets()).hasSize(2);
    assertThat(settings.timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.maxConcurrent()).isEqualTo(2_000);
  }

  @Test
  void an_executor_reports_unless_it_is_said_that_accepting_is_enough() {
    var reporting = ExecutorSettings.parse(Map.of("url", "http://a.test"));
    var taking =
        ExecutorSettings.parse(
            Map.of("url", "http://a.test", "completion", "accepted", "reportTimeout", "PT2H"));

    assertThat(reporting.completion()).isEqualTo(ExecutorSettings.Completion.REPORTED);
    assertThat(reporting.http().reportTimeout()).isEmpty();
    assertThat(taking.completion()).isEqualTo(ExecutorSettings.Completion.ACCEPTED);
    assertThat(taking.http().reportTimeout()).contains(Duration.ofHours(2));
    assertThat(taking.shown())
        .containsEntry("completion", "accepted")
        .containsEntry("reportTimeout", "PT2H")
        .doesNotContainKey("method");
  }

  @Test
  void an_executor_that_completes_otherwise_and_a_report_that_comes_too_late_are_refused() {
    assertThatThrownBy(
            () ->
                ExecutorSettings.parse(
                    Map.of("url", "http://a.test", "completion", "soon", "reportTimeout", "P366D")))
        .isInstanceOfSatisfying(
            SettingsException.class,
            e ->
                assertThat(e.faults())
                    .extracting(SettingsException.Fault::pointer)
                    .containsExactlyInAnyOrder("/completion", "/reportTimeout"));
    assertThat(fault("{\"url\": \"http://a.test\", \"completion\": \"accepted\"}").pointer())
        .isEqualTo("/completion");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | a url is needed, such as https://example.com/hook",
        "ftp://example.com/ | a url begins with http:// or https://",
        "file:///etc/passwd | a url begins with http:// or https://",
        "example.com/hook | a url begins with http:// or https://",
        "https://user:pass@example.com/ | a url holds no user and password; send an Authorization header instead",
        "https://user:pass@no_host/ | a url holds no user and password; send an Authorization header instead",
        "https://example.com/#top | a url has no part behind #; endpoints never see it",
        "https:///path | is no host that can be called",
        "https://example.com./ | write the host without the dot at its end: example.com",
        "http://localhost./ | write the host without the dot at its end: localhost",
        "http://2130706433/ | is a number, not a name; write four decimal numbers",
        "http://0x7f.1/ | is no host that can be called",
        "http://0177.0.0.1/ | is a number, not a name; write four decimal numbers",
        "http://127.1/ | is no host that can be called",
        "http://1.2.3.4.5/ | is no host that can be called",
        "http://a_b.example/ | is no host that can be called",
        "http://[fe80::1%25eth0]/ | an address of one network card, such as fe80::1%eth0, cannot be a target",
        "http://bücher.example/ | a url is plain ASCII without blanks",
        "http://example.com/a b | a url is plain ASCII without blanks",
        "http://example.com:99999/ | a port is a number from 1 to 65535",
        "http://example.com:0/ | a port is a number from 1 to 65535",
        "http://exa%6dple.com/ | is no host that can be called"
      })
  void a_url_that_could_be_misread_is_refused(String url, String message) {
    SettingsException.Fault fault = fault(Json.write(Map.of("url", url)));

    assertThat(fault.pointer()).isEqualTo("/url");
    assertThat(fault.message()).contains(message);
  }

  @Test
  void a_url_of_two_thousand_characters_is_the_longest() {
    String longest = "https://example.com/" + "x".repeat(1_980);

    assertThat(parse(Json.write(Map.of("url", longest))).url()).hasToString(longest);
    assertThat(fault(Json.write(Map.of("url", longest + "x"))).message())
        .isEqualTo("a url may have 2000 characters; this one has 2001");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Content-Type",
        "Connection",
        "Transfer-Encoding",
        "webhook-id",
        "Webhook-Signature",
        "Idempotency-Key",
        "Carillon-Attempt",
        "traceparent",
        "Proxy-Authorization",
        "TE",
        ":authority"
      })
  void a_header_that_carillon_sets_is_refused(String name) {
    SettingsException.Fault fault =
        fault(Json.write(Map.of("url", "http://a.test", "headers", Map.of(name, "x"))));

    assertThat(fault.pointer()).isEqualTo("/headers/" + name);
    assertThat(fault.message()).isEqualTo("is set by Carillon and cannot be given");
  }

  @Test
  void headers_are_plain_and_bounded() {
    assertThat(fault("{\"url\": \"http://a.test\", \"headers\": {\"X\": \"a\\r\\nHost: b\"}}"))
        .isEqualTo(
            new SettingsException.Fault(
                "/headers/X", "must be up to 4096 plain ASCII characters in one line"));
    assertThat(fault("{\"url\": \"http://a.test\", \"headers\": {\"a/b~c\": \"x\"}}").pointer())
        .isEqualTo("/headers/a~1b~0c");
    assertThat(fault("{\"url\": \"http://a.test\", \"headers\": {\"A\": \"1\", \"a\": \"2\"}}"))
        .isEqualTo(
            new SettingsException.Fault(
                "/headers/a", "is given twice; capitals make no difference"));
    assertThat(fault("{\"url\": \"http://a.test\", \"headers\": {\"A\": 1}}").message())
        .isEqualTo("must be a text");
    var many = new HashMap<String, Object>();
    for (int i = 0; i < 33; i++) {
      many.put("X-" + i, "x");
    }
    assertThat(fault(Json.write(Map.of("url", "http://a.test", "headers", many))).pointer())
        .isEqualTo("/headers");
  }

  @Test
  void every_fault_is_named_at_once() {
    assertThat(
            faults(
                """
                {"type": "worker", "url": 5, "method": "GET", "headers": [], "secret": "short",
                 "timeout": "10 seconds", "maxConcurrent": 0, "retries": 3}
                """))
        .extracting(SettingsException.Fault::pointer)
        .containsExactly(
            "/retries",
            "/type",
            "/url",
            "/url",
            "/method",
            "/headers",
            "/secret",
            "/timeout",
            "/maxConcurrent");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"timeout\": \"PT0S\"",
        "\"timeout\": \"-PT5S\"",
        "\"timeout\": \"PT61M\"",
        "\"timeout\": \"PT99999999999999999999S\"",
        "\"timeout\": 30",
        "\"maxConcurrent\": 10001",
        "\"maxConcurrent\": 1.5",
        "\"maxConcurrent\": 9223372036854775807",
        "\"maxConcurrent\": \"5\"",
        "\"secrets\": []",
        "\"secrets\": \"x\"",
        "\"secrets\": [5]",
        "\"secret\": \"whsec_no base64 at all!\"",
        "\"method\": \"post\""
      })
  void what_is_out_of_bounds_is_refused(String setting) {
    assertThat(faults("{\"url\": \"http://a.test\", " + setting + "}"))
        .isNotEmpty()
        .allSatisfy(
            fault ->
                assertThat(setting.substring(1))
                    .startsWith(fault.pointer().substring(1).replaceFirst("/.*", "")));
  }

  @Test
  void a_refusal_never_repeats_a_secret() {
    assertThat(faults("{\"url\": \"http://a.test\", \"secret\": \"canary\"}").toString())
        .doesNotContain("canary")
        .contains("a secret has 24 to 64 bytes; this one has 6");
    assertThat(faults("{\"url\": \"http://a.test\", \"secret\": \"whsec_canary!\"}").toString())
        .doesNotContain("canary");
    assertThat(
            faults("{\"url\": \"http://a.test\", \"headers\": {\"A\": \"canary\\u0001\"}}")
                .toString())
        .doesNotContain("canary");
  }
}
