package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescribeTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 2 * * 1-5            | At 02:30 on weekdays
          0 0 * * *               | At 00:00 every day
          15 30 2 * * *           | At 02:30:15 every day
          0,30 2,3 * * *          | At 02:00, 02:30, 03:00 and 03:30 every day
          10-12,40 6 * * *        | At 06:10, 06:11, 06:12 and 06:40 every day
          * * * * *               | Every minute
          */5 * * * *             | Every 5 minutes
          */7 * * * *             | Every 7 minutes, anew each hour
          */5 9-17 * * MON-FRI    | Every 5 minutes from 09:00 to 17:55 on weekdays
          * 9,12 * * *            | Every minute in the hours 9 and 12
          3 */10 * * * *          | Every 10 minutes, at second 3
          0 * * * *               | Every hour
          1 * * * *               | Every hour, at 1 minute past
          15 * * * *              | Every hour, at 15 minutes past
          10,20,45 * * * *        | Every hour, at 10, 20 and 45 minutes past
          0 */2 * * *             | Every 2 hours
          5 */7 * * *             | Every 7 hours, anew each day, at 5 minutes past
          0 9-17 * * *            | Every hour from 09:00 to 17:00
          30 9-17 * * *           | Every hour from 09:30 to 17:30
          10,40 9-17 * * *        | Every hour from 09:00 to 17:00, at 10 and 40 minutes past
          0 1,3,5,8,9,11,20 * * * | In the hours 1, 3, 5, 8, 9, 11 and 20
          */7 */5 * * *           | Every 7 minutes, anew each hour of every 5 hours, anew each day
          * * * * * *             | Every second
          */10 * * * * *          | Every 10 seconds
          */20 */5 8-10 * * *     | Every 20 seconds in every 5th minute from 08:00 to 10:55:40
          1,2,30 0,1 * * * *      | At seconds 1, 2 and 30 of every minute in minutes 0 and 1
          5-10 7 3 * * *          | At seconds 5 to 10 of every minute in minute 7 from 03:07:05 to 03:07:10
          0 0 1 * *               | At 00:00 on the 1st of the month
          0 0 1,22 * *            | At 00:00 on the 1st and the 22nd of the month
          0 0 3-11 * *            | At 00:00 on the 3rd to 11th of the month
          0 0 */2 * *             | At 00:00 on every 2nd day from the 1st of the month
          0 0 L * *               | At 00:00 on the last day of the month
          0 0 L-3 * *             | At 00:00 on the 4th-last day of the month
          0 0 LW * *              | At 00:00 on the last weekday of the month
          0 0 L-2W * *            | At 00:00 on the weekday nearest the 3rd-last day of the month
          0 0 15W * *             | At 00:00 on the weekday nearest the 15th of the month
          0 0 * * 0,6             | At 00:00 on weekends
          0 0 * * 1,3,5           | At 00:00 on Monday, Wednesday and Friday
          0 0 * * TUE-THU         | At 00:00 on Tuesday to Thursday
          0 0 * * 5L              | At 00:00 on the last Friday of the month
          0 0 * * MON#2,TUE#3     | At 00:00 on the second Monday and the third Tuesday of the month
          0 0 13 * 5              | At 00:00 on the 13th of the month or on Friday
          0 0 13 * +5             | At 00:00 on the 13th of the month if it falls on Friday
          0 0 1 * 0-7             | At 00:00 every day
          0 0 1 1,4 *             | At 00:00 on the 1st of the month in January and April
          0 0 1 3-5 *             | At 00:00 on the 1st of the month from March to May
          0 0 0 1 1 * 2027        | At 00:00 on the 1st of the month in January in 2027
          0 0 0 1 * * 2027-2030   | At 00:00 on the 1st of the month from 2027 to 2030
          0 0 0 1 * * 2027,2030   | At 00:00 on the 1st of the month in 2027 and 2030
          @weekly                 | At 00:00 on Sunday
          """)
  void a_cron_timing_reads_as_a_sentence_that_ends_with_its_zone(String expression, String words) {
    assertThat(Cron.parse(expression, ROME).describe()).isEqualTo(words + ", Europe/Rome");
  }

  @ParameterizedTest
  @CsvSource({
    "@every 1s, Every second",
    "@every 90s, Every 1 minute 30 seconds",
    "@every 1h30m, Every 1 hour 30 minutes",
    "@every 1d, Every day",
    "@every PT36H, Every 1 day 12 hours",
  })
  void an_interval_reads_as_its_distance(String text, String words) {
    assertThat(Timing.parse(text, ROME).describe()).isEqualTo(words);
  }

  @Test
  void a_one_shot_reads_as_its_instant() {
    assertThat(new Once(Instant.parse("2027-01-01T00:00:00Z")).describe())
        .isEqualTo("Once at 2027-01-01T00:00:00Z");
  }
}
