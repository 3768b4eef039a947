package dev.carillon.cli.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.carillon.cli.Answer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronCommandTest {
  @Test
  void fires_are_listed_in_local_time_and_utc_with_marks_for_clock_changes() {
    var answer =
        Answer.to(
            "cron", "30 2 * * 1-5", "--zone", "Europe/Rome", "--from", "2027-03-26", "-n", "3");

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .isEqualTo(
            """
            At 02:30 on weekdays, Europe/Rome

              local time                   UTC
              Fri 2027-03-26 02:30 +01:00  2027-03-26T01:30:00Z
              Mon 2027-03-29 02:30 +02:00  2027-03-29T00:30:00Z  ! clocks forward 1h
              Tue 2027-03-30 02:30 +02:00  2027-03-30T00:30:00Z
            """);
  }

  @Test
  void json_has_the_documented_names() throws IOException {
    var answer =
        Answer.to(
            "cron", "30 2 * * *", "--zone=Europe/Rome", "--from=2027-03-28", "--count=1", "--json");

    JsonNode json = new ObjectMapper().readTree(answer.out());
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("expression", "zone", "description", "next", "warnings");
    assertThat(json.get("next").toString())
        .isEqualTo(
            "[{\"utc\":\"2027-03-28T01:00:00Z\",\"local\":\"2027-03-28T03:00:00+02:00\","
                + "\"note\":\"moved from 02:30, which the clocks skip that day\"}]");
    assertThat(json.get("warnings").findValuesAsText("code"))
        .containsExactly("DST_GAP", "DST_OVERLAP");
    assertThat(json.get("warnings").get(0).get("message").asText()).contains("does not exist");
  }

  @Test
  void a_bad_expression_is_shown_with_a_caret_and_ends_with_code_2() {
    var answer = Answer.to("cron", "0 24 * * *");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err())
        .isEqualTo(
            """
            carillon: 24 is out of range for the hour
              0 24 * * *
                ^^
              Use 0 to 23.
            """);
  }

  @Test
  void an_expression_that_begins_with_a_dash_is_not_taken_for_an_option() {
    var answer = Answer.to("cron", "-1 * * * *", "-n=1");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).startsWith("carillon: '-1' is not a minute\n  -1 * * * *\n  ^^\n");
  }

  @Test
  void looking_back_goes_from_newest_to_oldest_down_to_the_end() {
    var answer =
        Answer.to("cron", "0 0 * * *", "--previous", "--from=2027-03-26", "--until=2027-03-24");

    assertThat(answer.out().lines().skip(3))
        .containsExactly(
            "  Thu 2027-03-25 00:00 +00:00  2027-03-25T00:00:00Z",
            "  Wed 2027-03-24 00:00 +00:00  2027-03-24T00:00:00Z");
  }

  @Test
  void looking_back_marks_the_same_fires_as_looking_ahead() {
    var answer =
        Answer.to(
            "cron", "30 2 * * 1-5", "-z=Europe/Rome", "--previous", "--from=2027-11-02", "-n=2");

    assertThat(answer.out().lines().skip(3))
        .containsExactly(
            "  Mon 2027-11-01 02:30 +01:00  2027-11-01T01:30:00Z  ! clocks back 1h",
            "  Fri 2027-10-29 02:30 +02:00  2027-10-29T00:30:00Z");
  }

  @Test
  void a_date_stands_for_its_whole_day() {
    assertThat(Answer.to("cron", "0 */12 * * *", "--from=2027-01-01", "--until=2027-01-01").out())
        .contains("2027-01-01T00:00:00Z", "2027-01-01T12:00:00Z")
        .doesNotContain("2027-01-02", "2026-12-31");
  }

  @Test
  void fires_beyond_the_count_are_counted() {
    assertThat(
            Answer.to("cron", "*/5 * * * *", "--from=2026-12-31", "--until=2026-12-31", "-n=1")
                .out())
        .endsWith("  ... and 287 more\n");
    assertThat(
            Answer.to(
                    "cron",
                    "*/5 * * * *",
                    "--from=2027-01-01",
                    "--until=2026-12-31",
                    "-n=1",
                    "--previous")
                .out())
        .endsWith("  ... and 287 more\n");
  }

  @Test
  void an_expression_that_never_fires_is_explained_all_the_same() {
    var answer = Answer.to("cron", "0 0 30 2 *", "--from=2027-01-01");

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .contains("  no fires after 2026-12-31T23:59:59Z")
        .contains("warning NEVER_FIRES: ");
  }

  @Test
  void a_stretch_without_fires_says_so() {
    assertThat(Answer.to("cron", "0 0 1 1 *", "--from=2027-02-01", "--until=2027-03-01").out())
        .endsWith("  no fires between 2027-01-31T23:59:59Z and 2027-03-01T23:59:59Z\n");
  }

  @Test
  void seconds_are_shown_where_they_matter() {
    assertThat(Answer.to("cron", "@every 90s", "--from=2027-01-01T00:00:00Z", "--count=1").out())
        .contains("  Fri 2027-01-01 00:01:30 +00:00  2027-01-01T00:01:30Z");
  }

  @Test
  void what_stands_for_something_else_is_spelled_out() {
    assertThat(Answer.to("cron", "@daily").out()).contains("@daily stands for 0 0 * * *\n");
    assertThat(Answer.to("cron", "H 3 * * *", "--key", "report").out())
        .contains("H 3 * * * stands for 18 3 * * *")
        .doesNotContain("warning");
    assertThat(Answer.to("cron", "H 3 * * *").out()).contains("warning KEY_MISSING");
  }

  @Test
  void the_rules_for_clock_changes_can_be_chosen() {
    var gap =
        Answer.to(
            "cron", "30 2 * * *", "-z=Europe/Rome", "--from=2027-03-28", "-n=1", "--dst-gap=skip");
    var overlap =
        Answer.to(
            "cron",
            "30 2 * * *",
            "-z=Europe/Rome",
            "--from=2027-10-31",
            "-n=2",
            "--dst-overlap=both");

    assertThat(gap.out()).contains("2027-03-29T00:30:00Z").doesNotContain("moved");
    assertThat(overlap.out()).contains("first of two 02:30").contains("second of two 02:30");
  }

  @Test
  void times_may_be_dates_local_times_or_instants() {
    assertThat(firstFireFrom("2027-03-26")).isEqualTo("2027-03-25T23:00:00Z");
    assertThat(firstFireFrom("2027-03-26T10:00")).isEqualTo("2027-03-26T09:01:00Z");
    assertThat(firstFireFrom("2027-03-26T10:00:59.999Z")).isEqualTo("2027-03-26T10:01:00Z");
    assertThat(firstFireFrom("2027-03-26T10:00:00+05:30")).isEqualTo("2027-03-26T04:31:00Z");
  }

  private static String firstFireFrom(String from) {
    var answer = Answer.to("cron", "* * * * *", "--zone=Europe/Rome", "--from", from, "-n=1");
    return answer.out().lines().skip(3).findFirst().orElseThrow().substring(31);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --from=soon                     | --from: 'soon' is neither a date nor a time; write 2027-03-26, '2027-03-26 09:30', 2027-03-26T08:30:00Z, tomorrow, now or now-2h
          --until=2027-02-30              | --until: '2027-02-30' is neither a date nor a time; write 2027-03-26, '2027-03-26 09:30', 2027-03-26T08:30:00Z, tomorrow, now or now-2h
          --from=-999999999-01-01T00:00Z  | --from: '-999999999-01-01T00:00Z' is neither a date nor a time; write 2027-03-26, '2027-03-26 09:30', 2027-03-26T08:30:00Z, tomorrow, now or now-2h
          --until=1999-01-01              | --until must not be before --from
          --count=0                       | --count must be from 1 to 10000; was 0
          --count=many                    | Invalid value for option '--count': 'many' is not an int
          --dst-gap=jump                  | --dst-gap: 'jump' is not one of [fire_after, skip]
          --dst-overlap=last              | --dst-overlap: 'last' is not one of [auto, first, both]
          1                               | put the expression in quotes, or the shell takes it apart and * means files
          """)
  void a_wrong_option_is_one_line_and_ends_with_code_2(String option, String message) {
    var answer = Answer.to("cron", "* * * * *", option);

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("carillon: " + message + ". See 'carillon cron --help'.\n");
  }

  @Test
  void an_unknown_zone_ends_with_code_2() {
    var answer = Answer.to("cron", "* * * * *", "--zone=Europe/Roma");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .isEqualTo("carillon: there is no zone 'Europe/Roma'; did you mean Europe/Rome?\n");
  }
}
