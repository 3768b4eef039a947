package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          60 * * * *        | 60 is out of range for the minute | Use 0 to 59.
          0 24 * * *        | 24 is out of range for the hour | Use 0 to 23.
          0 0 1 13 *        | 13 is out of range for the month | Use 1 to 12, or JAN to DEC.
          0 0 * * 8         | 8 is out of range for the day of week | Use 0 to 7 (0 and 7 are Sunday), or SUN to SAT.
          0 5, * * *        | an hour is missing | Use 0 to 23.
          1,,2 * * * *      | a minute is missing | Use 0 to 59.
          0 0 * * FRY       | 'FRY' is not a day of week | Use 0 to 7 (0 and 7 are Sunday), or SUN to SAT.
          0 x * * *         | 'x' is not an hour | Use 0 to 23.
          /15 * * * *       | a step needs a range before it | Use */15.
          */0 * * * *       | step 0 is out of range for the minute | Use a step from 1 to 59.
          0~30 * * * *      | '~' is not supported: a random choice cannot be repeated | Use H, or H(a-b), which chooses by the key of the schedule and stays.
          ? * * * *         | '?' stands alone, and only for the day of month or the day of week | Use *.
          0 0 ?,5 * *       | '?' stands alone, and only for the day of month or the day of week | Use *.
          0 0 lw * *        | L, W and H are written in upper case | Use LW.
          0 0 l * *         | L, W and H are written in upper case | Use L.
          0 0 15w * *       | L, W and H are written in upper case | Use 15W.
          0 0 h * *         | L, W and H are written in upper case | Use H.
          h * * * *         | L, W and H are written in upper case | Use H.
          h(1-5) * * * *    | L, W and H are written in upper case | Use H(1-5).
          0 0 * * 5l        | L, W and H are written in upper case | Use 5L.
          0 0 * * h         | L, W and H are written in upper case | Use H.
          0 0 * * l         | 'l' is not a day of week | Use 0 to 7 (0 and 7 are Sunday), or SUN to SAT.
          hi * * * *        | 'hi' is not a minute | Use 0 to 59.
          0 0 * * L         | L alone is not a day of week | Use 5L for the last Friday of the month, 6 for Saturday, or L as the day of month.
          0 0 L-31 * *      | L-31 is out of range | Use L-1 to L-30.
          0 0 * * MON#6     | no month has a MON#6 | Use #1 to #5, or #L for the last.
          0 0 1-5W * *      | '1-5W': a day with L, W or # stands alone, without range or step | List single days instead, as in 1W,15W.
          0 0 5W-7,9 * *    | '5W-7': a day with L, W or # stands alone, without range or step | List single days instead, as in 1W,15W.
          0 0 * * MON-FRI#2 | 'MON-FRI#2': a day with L, W or # stands alone, without range or step | List single days instead, as in 1#2,5#2.
          0 0 * * FRI-MON   | 'FRI-MON' runs backwards | Write FRI-SAT,SUN-MON.
          0 0 * * SAT-MON   | 'SAT-MON' runs backwards | Write SAT,SUN-MON.
          0 22-0 * * *      | '22-0' runs backwards | Write 22-23,0.
          0 0 0 1 1 * 2030-2027 | '2030-2027' runs backwards | Put the earlier year first.
          0 0 1 1 * 2027    | a year needs all 7 fields; the last of 6 is the day of week | Put the seconds first: 0 0 0 1 1 * 2027
          0                 | there is only 1 field | Use 5 fields (minute hour day-of-month month day-of-week), 6 with seconds first, or 7 with seconds first and the year last.
          * * * *           | there are only 4 fields | Use 5 fields (minute hour day-of-month month day-of-week), 6 with seconds first, or 7 with seconds first and the year last.
          @DAILY            | macros are written in lower case | Use @daily.
          @reboot           | @reboot names no time | Schedules outlive restarts; for work to do now, run it now.
          07-2 * * * *      | '07-2' runs backwards | Write 07-59,0-2.
          0 0 * * 07-2      | '07-2' runs backwards | Write 0-2.
          0 0 * * 006-2     | '006-2' runs backwards | Write 006,0-2.
          0 H(22-2) * * *   | '22-2' runs backwards | Put the smaller value first, as in H(0-23).
          1-2-3 * * * *     | '-3' cannot follow '1-2' | Use a value, a range such as a-b, or a range with a step such as a-b/n.
          1/2/3,4 * * * *   | '/3' cannot follow '1/2' | Use a value, a range such as a-b, or a range with a step such as a-b/n.
          *-5 * * * *       | '-5' cannot follow '*' | Use a value, a range such as a-b, or a range with a step such as a-b/n.
          H-5 * * * *       | '-5' cannot follow 'H' | Use a value, a range such as a-b, or a range with a step such as a-b/n.
          */ * * * *        | a step is missing | Use a step from 1 to 59.
          */-1 * * * *      | '-1' is not a step | Use a step from 1 to 59.
          5//2 * * * *      | '/2' is not a step | Use a step from 1 to 59.
          0 0 Lw * *        | L, W and H are written in upper case | Use LW.
          0 0 L-1w * *      | L, W and H are written in upper case | Use L-1W.
          0 0 * * 5#l       | 'l' is not a week of the month | Use #1 to #5, or #L for the last.
          0 0 * * MON#      | a week of the month is missing | Use #1 to #5, or #L for the last.
          0 0 w * *         | 'w' is not a day of month | Use 1 to 31.
          0 0 L- * *        | a number of days is missing | Use L-1 to L-30.
          0 0 L-x * *       | 'x' is not a number of days | Use L-1 to L-30.
          0 0 LL * *        | 'LL': a day with L, W or # stands alone, without range or step | List single days instead, as in 1W,15W.
          0 0 0~30 * *      | '~' is not supported: a random choice cannot be repeated | Use H, or H(a-b), which chooses by the key of the schedule and stays.
          0 0 0 1 1 * h     | 'h' is not a year | Use 1970 to 2199.
          0 0 0 1 1 * 2027~2028 | '~' is not supported: a random choice cannot be repeated | Use 1970 to 2199.
          @EVERY 5m         | @every is written in lower case, with a blank after it | Use @every 90s.
          @every5m          | @every is written in lower case, with a blank after it | Use @every 90s.
          @fortnightly      | there is no macro of this name | Use @yearly, @monthly, @weekly, @daily, @hourly, or @every with a duration.
          @every 5m         | @every is an interval, not a cron expression | Read it with Timing.parse.
          """)
  void an_error_says_what_is_wrong_and_what_would_be_right(
      String expression, String problem, String hint) {
    CronSyntaxException error =
        catchThrowableOfType(CronSyntaxException.class, () -> Cron.parse(expression));

    assertThat(error.problem()).isEqualTo(problem);
    assertThat(error.hint()).isEqualTo(hint);
    assertThat(error.expression()).isEqualTo(expression);
    assertThat(error).hasMessageStartingWith(problem + "\n  " + expression + "\n  ");
    assertThat(error).hasMessageEndingWith("^\n" + hint);
  }

  @Test
  void a_refused_interval_is_bounded_and_shown_on_one_line() {
    for (String amount :
        new String[] {"5\n6s", "9".repeat(100_000), "PT" + "0".repeat(400) + "9S"}) {
      CronSyntaxException error =
          catchThrowableOfType(
              CronSyntaxException.class, () -> Timing.parse("@every " + amount, ZoneId.of("UTC")));

      assertThat(String.valueOf(error.getMessage())).hasSizeLessThan(1000);
      assertThat(String.valueOf(error.getMessage()).lines()).hasSize(4);
    }
  }

  @Test
  void what_cannot_be_printed_does_not_move_the_caret() {
    CronSyntaxException error =
        catchThrowableOfType(CronSyntaxException.class, () -> Cron.parse("0\u00a00 é * *"));

    assertThat(error)
        .hasMessage(
            """
            character U+00A0 has no meaning here
              0?0 ? * *
               ^
            Use plain ASCII characters, with blanks between the fields.""");
  }
}
