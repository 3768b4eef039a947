package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asks all questions from every quarter of an hour, and from around every slot, near a change. */
class AroundClockChangesTest {
  private static final List<String> EXPRESSIONS =
      List.of(
          "* * * * *",
          "*/15 * * * *",
          "0 * * * *",
          "30 2 * * *",
          "0,30 1-3 * * *",
          "*/20 1,2 * * *",
          "15 0 * * *",
          "0 0 * * *",
          "45 23 * * *",
          "10 12 * * *",
          "59 59 1,2 * * *");

  @ParameterizedTest
  @CsvSource({
    "Europe/Rome, 2027-03-28",
    "Europe/Rome, 2027-10-31",
    "America/New_York, 2026-11-01",
    "Australia/Lord_Howe, 2026-10-03",
    "Australia/Lord_Howe, 2027-04-03",
    "Africa/Cairo, 2026-04-23",
    "America/Santiago, 2027-04-03",
    "Antarctica/Troll, 2027-03-28",
    "Pacific/Apia, 2011-12-30",
    "Asia/Kolkata, 2027-03-28",
  })
  void every_answer_agrees_with_the_list_of_slots(ZoneId zone, String date) {
    Instant from = Instant.parse(date + "T00:00:00Z").minus(Duration.ofDays(2));
    Instant to = from.plus(Duration.ofDays(4));
    for (String expression : EXPRESSIONS) {
      Cron cron = Cron.parse(expression, zone);
      for (DstGap gap : DstGap.values()) {
        for (DstOverlap overlap : DstOverlap.values()) {
          check(cron.withGap(gap).withOverlap(overlap), from, to);
        }
      }
    }
  }

  private static void check(Cron cron, Instant from, Instant to) {
    NavigableSet<Instant> slots =
        new TreeSet<>(
            new Reference(cron.expression(), cron.zone(), cron.gap(), cron.overlap())
                .between(from.minus(Duration.ofDays(3)), to.plus(Duration.ofDays(3))));
    var moments = new TreeSet<Instant>();
    for (Instant at = from; at.isBefore(to); at = at.plusSeconds(900)) {
      moments.add(at);
    }
    slots.subSet(from, to).stream()
        .filter(slot -> slot.getEpochSecond() % 1800 == 0)
        .forEach(moments::add);
    for (Instant moment : List.copyOf(moments)) {
      moments.add(moment.minusSeconds(1));
      moments.add(moment.plusNanos(1));
    }
    for (Instant moment : moments) {
      assertThat(cron.next(moment)).as("%s after %s", cron, moment).contains(slots.higher(moment));
      assertThat(cron.previous(moment))
          .as("%s before %s", cron, moment)
          .contains(slots.lower(moment));
      assertThat(cron.count(from, moment))
          .as("%s up to %s", cron, moment)
          .isEqualTo(count(slots, from, moment));
      assertThat(cron.count(moment, to))
          .as("%s from %s", cron, moment)
          .isEqualTo(count(slots, moment, to));
    }
  }

  private static int count(NavigableSet<Instant> slots, Instant after, Instant through) {
    return after.isAfter(through) ? 0 : slots.subSet(after, false, through, true).size();
  }
}
