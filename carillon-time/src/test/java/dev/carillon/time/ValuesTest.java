package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ValuesTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Instant SLOT = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void cron_timings_are_equal_if_all_that_decides_is() {
    Cron cron = Cron.parse("0 0 * * *", ROME);

    assertThat(cron)
        .isEqualTo(Cron.parse(" 0  0 * *\t* ", ROME))
        .hasSameHashCodeAs(Cron.parse("0 0 * * *", ROME));
    assertThat(cron).isNotEqualTo(Cron.parse("0 0 * * *"));
    assertThat(cron).isNotEqualTo(Cron.parse("@daily", ROME));
    assertThat(cron).isNotEqualTo(cron.withGap(DstGap.SKIP));
    assertThat(cron).isNotEqualTo(cron.withOverlap(DstOverlap.BOTH));
    assertThat(cron).isNotEqualTo(Every.of(Duration.ofDays(1)));
    assertThat(Cron.parse("H * * * *", ROME, "a")).isNotEqualTo(Cron.parse("H * * * *", ROME, "b"));
  }

  @Test
  void a_cron_timing_tells_what_it_was_made_of() {
    Cron cron = Cron.parse("@daily", ROME).withGap(DstGap.SKIP).withOverlap(DstOverlap.FIRST);

    assertThat(cron.expression()).isEqualTo("@daily");
    assertThat(cron.resolved()).isEqualTo("0 0 * * *");
    assertThat(cron.zone()).isEqualTo(ROME);
    assertThat(cron.gap()).isEqualTo(DstGap.SKIP);
    assertThat(cron.overlap()).isEqualTo(DstOverlap.FIRST);
    assertThat(cron).hasToString("@daily Europe/Rome");
  }

  @Test
  void a_one_shot_has_its_one_slot() {
    var once = new Once(SLOT);

    assertThat(once.matches(SLOT)).isTrue();
    assertThat(once.matches(SLOT.plusSeconds(1))).isFalse();
    assertThat(once.next(SLOT.minusNanos(1))).contains(SLOT);
    assertThat(once.next(SLOT)).isEmpty();
    assertThat(once.previous(SLOT.plusNanos(1))).contains(SLOT);
    assertThat(once.previous(SLOT)).isEmpty();
    assertThat(once.count(SLOT.minusNanos(1), SLOT)).isEqualTo(1);
    assertThat(once.count(SLOT, SLOT.plusSeconds(1))).isZero();
    assertThat(once.count(SLOT.minusSeconds(2), SLOT.minusSeconds(1))).isZero();
  }

  @Test
  void slots_end_where_they_end() {
    Slots slots = new Once(SLOT).between(SLOT.minusSeconds(1), SLOT);
    var iterator = slots.iterator();

    assertThat(iterator.next()).isEqualTo(SLOT);
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    assertThat(slots)
        .hasToString(
            "Once[at=2027-01-01T00:00:00Z, zone=Optional.empty] in (2026-12-31T23:59:59Z, 2027-01-01T00:00:00Z]");
  }

  @Test
  void an_interval_of_no_sense_is_refused() {
    assertThatThrownBy(() -> Every.of(Duration.ofMillis(1500)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("period must be whole seconds, from 1s to 36525d; was PT1.5S");
    assertThatThrownBy(() -> Every.of(Duration.ofDays(36_526)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Every(Duration.ofSeconds(1), SLOT.plusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("anchor must be a whole second; was 2027-01-01T00:00:00.001Z");
  }

  @Test
  void an_interval_counts_from_its_anchor_both_ways() {
    var every = new Every(Duration.ofHours(1), Instant.parse("2027-01-01T00:05:00Z"));

    assertThat(every.next(SLOT)).contains(Instant.parse("2027-01-01T00:05:00Z"));
    assertThat(every.previous(SLOT)).contains(Instant.parse("2026-12-31T23:05:00Z"));
    assertThat(every.count(SLOT, SLOT.plus(Duration.ofDays(1)))).isEqualTo(24);
  }
}
