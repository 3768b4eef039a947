package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs the code of {@code docs/guide/time.md}; another test holds the two together. */
class TimeGuideTest {
  @Test
  void the_guide_works_as_it_says() {
    Timing nightly = Cron.parse("30 2 * * 1-5", ZoneId.of("Europe/Rome"));

    Optional<Instant> next = nightly.next(Instant.parse("2027-03-26T12:00:00Z"));

    assertThat(next).contains(Instant.parse("2027-03-29T00:30:00Z"));

    Timing quarterHourly = Every.of(Duration.ofMinutes(15));
    Instant monday = Instant.parse("2027-03-01T00:00:00Z");
    Instant tuesday = Instant.parse("2027-03-02T00:00:00Z");

    Optional<Instant> before = quarterHourly.previous(monday);
    boolean onTheDot = quarterHourly.matches(monday);
    long slots = quarterHourly.between(monday, tuesday).count();

    assertThat(before).contains(Instant.parse("2027-02-28T23:45:00Z"));
    assertThat(onTheDot).isTrue();
    assertThat(slots).isEqualTo(96);

    Cron backup =
        Cron.parse("30 2 * * *", ZoneId.of("America/New_York"))
            .withGap(DstGap.SKIP)
            .withOverlap(DstOverlap.BOTH);

    String words = backup.describe();
    List<Fire> preview = Fire.next(backup, backup.zone(), monday, 5);
    List<Warning> warnings = Lint.of(backup, monday);

    assertThat(words).isEqualTo("At 02:30 every day, America/New_York");
    assertThat(preview).hasSize(5);
    assertThat(warnings).extracting(Warning::code).containsExactly("DST_GAP");

    Window spring = new Window(monday, Instant.parse("2027-06-01T00:00:00Z"));
    Optional<Instant> first = spring.next(backup, Instant.EPOCH);

    Instant due = Jitter.around(Duration.ofMinutes(5)).dueAt(backup, "nightly-backup", monday);

    assertThat(first).contains(Instant.parse("2027-03-01T07:30:00Z"));
    assertThat(due).isBetween(monday.minusSeconds(300), monday.plusSeconds(300));
  }
}
