package dev.carillon.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
  private static final Map<String, Object> PAYLOAD =
      Map.of(
          "to",
          "ops",
          "n",
          7L,
          "on",
          true,
          "deep",
          Map.of("a.b", List.of("x", "y"), "it's", "quoted"),
          "trick",
          "${slot} $${");

  private static String expanded(String text, String slot, String zone) {
    var values =
        new TemplateValues(
            Instant.parse(slot),
            Instant.parse(slot).plusMillis(4_500),
            ZoneId.of(zone),
            Optional.of("nightly"),
            "run-1",
            "abc",
            3);
    return Template.parse(text).expand(values, PAYLOAD, 1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "plain|plain",
        "${slot}|2026-03-02T02:00:00Z",
        "${due}|2026-03-02T02:00:04.500Z",
        "${due:HH:mm:ss.SSS}|03:00:04.500",
        "${key} ${run} ${idempotencyKey} ${attempt}|nightly run-1 abc 3",
        "${slot-1d:yyyy-MM-dd}|2026-03-01",
        "${slot-1d}|2026-03-01T02:00:00Z",
        "${slot+1M:yyyy-MM-dd}|2026-04-02",
        "${slot-15m:HH:mm}|02:45",
        "${slot-1M+1d:dd.MM.yy}|03.02.26",
        "${slot-2w:d}|16",
        "${slot+1y-90s+1h:yyyy HH:mm:ss}|2027 03:58:30",
        "${slot:EEE d MMM yyyy h a}|Mon 2 Mar 2026 3 AM",
        "${slot:YYYY-'W'ww}|2026-W10",
        "${slot:yyyy'}'''MM}|2026}'03",
        "${slot:Q D XXX VV}|1 61 +01:00 Europe/Rome",
        "to ${payload.to}, ${payload.n}, ${payload.on}|to ops, 7, true",
        "${payload.deep.'a.b'.1} ${payload.deep.'it''s'}|y quoted",
        "${payload.deep.'a.b'}|[\"x\",\"y\"]",
        "${payload.trick}|${slot} $${",
        "$${slot}|${slot}",
        "$$${attempt}|$3",
        "$$$${attempt}|$${attempt}",
        "100 $, $$ and {braces}|100 $, $$ and {braces}",
      })
  void placeholders_are_filled_in(String text, String filled) {
    assertThat(expanded(text, "2026-03-02T02:00:00Z", "Europe/Rome")).isEqualTo(filled);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-30T00:30:00Z, Europe/Rome, ${slot-1d:yyyy-MM-dd HH:mm XXX}, 2026-03-29 03:30 +02:00",
    "2026-03-29T22:30:00Z, Europe/Rome, ${slot:yyyy-MM-dd HH:mm}, 2026-03-30 00:30",
    "2026-03-29T03:00:00Z, Europe/Rome, ${slot-1d}, 2026-03-28T04:00:00Z",
    "2026-03-29T03:00:00Z, Europe/Rome, ${slot-24h}, 2026-03-28T03:00:00Z",
    "2026-10-25T12:00:00Z, Europe/Rome, ${slot-1d}, 2026-10-24T11:00:00Z",
    "2026-10-24T00:30:00Z, Europe/Rome, ${slot+1d}, 2026-10-25T00:30:00Z",
    "2026-10-25T00:30:00Z, Europe/Rome, ${slot+60m:HH:mm XXX}, 02:30 +01:00",
    "2026-03-31T12:00:00Z, UTC, ${slot-1M:yyyy-MM-dd}, 2026-02-28",
    "2024-02-29T12:00:00Z, UTC, ${slot+1y:yyyy-MM-dd}, 2025-02-28",
    "2026-03-31T12:00:00Z, UTC, ${slot-1M-1d:yyyy-MM-dd}, 2026-02-27",
    "2027-01-01T12:00:00Z, UTC, ${slot:YYYY-ww}, 2026-53",
    "2011-12-31T12:00:00Z, Pacific/Apia, ${slot-2d:yyyy-MM-dd}, 2011-12-31",
    "9999-12-31T23:59:59Z, UTC, ${slot+999999y+999999y:y}, 2009997",
  })
  void dates_go_by_the_calendar_and_the_clocks_of_the_zone(
      String slot, String zone, String text, String filled) {
    assertThat(expanded(text, slot, zone)).isEqualTo(filled);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a ${slott}|3|'slott', which is no name; use one of slot, due, key, run,",
        "a ${}|3|'}', which is no name",
        "${|1|the end of the text",
        "${slot|1|not closed; add }",
        "${slot-1d:yyyy|1|not closed",
        "${slot-1}|7|such as -1d or +15m",
        "${slot-d}|7|such as -1d",
        "${slot-1234567d}|7|up to 6 digits",
        "${slot-1D}|7|units are s, m (minutes), h, d, w, M (months) and y",
        "${slot 1d}|7|' ' does not belong here; write ${slot-1d:yyyy-MM-dd}",
        "${slot+1d+1d+1d+1d+1d+1d+1d+1d+1d}|31|up to 8 times",
        "${slot:}|8|1 to 60 characters",
        "${slot:yyyy-MM-ddTHH}|18|'T' is no letter of a pattern; write yyyy-MM-dd'T'HH",
        "${slot:YYYY-MM-dd}|8|write yyyy for the year of the date",
        "${slot:yyyy MMMMMMM}|13|no 'MMMMMMM'",
        "${slot:ppd}|8|'p' is no letter",
        "${slot:'x}|8|the quote is not closed",
        "${attempt+1}|10|'+' does not belong here; write ${attempt}",
        "${attempt.x}|10|write ${attempt}",
        "${payload.}|11|a name of the payload is missing",
        "${payload.a b}|12|in single quotes",
        "${payload.'a}|11|the quote is not closed",
        "${payload[0]}|10|'[' does not belong here",
        "${secret}|1|'secret', which is no name",
        "${headers.x}|1|'headers', which is no name",
        "${class.name}|1|'class', which is no name",
      })
  void what_is_no_template_is_refused_with_its_position_and_the_cure(
      String text, int position, String reason) {
    TemplateSyntaxException refusal =
        catchThrowableOfType(TemplateSyntaxException.class, () -> Template.parse(text));

    assertThat(refusal)
        .hasMessageStartingWith("at character " + position + ": ")
        .hasMessageContaining(reason);
  }

  @Test
  void nothing_stands_for_a_key_that_an_ad_hoc_run_has_not() {
    Instant now = Instant.EPOCH;
    var values = new TemplateValues(now, now, ZoneId.of("UTC"), Optional.empty(), "r", "k", 1);

    assertThat(Template.parse("<${key}>").expand(values, Map.of(), 10)).isEqualTo("<>");
  }

  @Test
  void a_value_that_the_payload_has_not_fails_with_its_name() {
    assertThatThrownBy(() -> expanded("${payload.deep.c}", "2026-01-01T00:00:00Z", "UTC"))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("no 'payload.deep.c'")
        .extracting(e -> ((TemplateException) e).failure().code())
        .isEqualTo("template_failed");
  }

  @Test
  void a_text_that_grows_too_long_fails() {
    var values =
        new TemplateValues(
            Instant.EPOCH, Instant.EPOCH, ZoneId.of("UTC"), Optional.empty(), "r", "k", 1);

    assertThatThrownBy(
            () ->
                Template.parse("${payload.a}${payload.a}").expand(values, Map.of("a", "12345"), 9))
        .extracting(e -> ((TemplateException) e).failure().code())
        .isEqualTo("template_too_large");
  }

  @Test
  void null_is_nothing_in_a_text() {
    var values =
        new TemplateValues(
            Instant.EPOCH, Instant.EPOCH, ZoneId.of("UTC"), Optional.empty(), "r", "k", 1);

    assertThat(
            Template.parse("<${payload.a.0}>")
                .expand(values, Map.of("a", Arrays.asList(null, 1)), 9))
        .isEqualTo("<>");
  }
}
