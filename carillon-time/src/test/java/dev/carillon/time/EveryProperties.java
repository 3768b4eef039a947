package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fixed distances and single instants against plain counting. */
class EveryProperties {
  @Property(cases = 10_000)
  void slots_lie_whole_periods_from_the_anchor(TimeGen any) {
    Every every = any.every();
    Instant start = every.anchor().plus(every.period().multipliedBy(any.number(-50, 50)));
    start =
        start.plusSeconds(any.number(-5, 5)).plusNanos(any.percent(50) ? 0 : any.number(0, 999));
    Instant end = start.plus(every.period().multipliedBy(any.number(0, 40)));

    assertThat(every.between(start, end).stream().toList())
        .as("%s between %s and %s", every, start, end)
        .isEqualTo(counted(every, start, end));
    assertThat(every.between(start, end).count()).isEqualTo(counted(every, start, end).size());
    assertThat(every.next(start))
        .as("%s after %s", every, start)
        .isEqualTo(counted(every, start, Instant.MAX).stream().findFirst());
    assertThat(every.previous(end))
        .as("%s before %s", every, end)
        .isEqualTo(counted(every, Instant.MIN, end.minusNanos(1)).stream().reduce((a, b) -> b));
  }

  private static List<Instant> counted(Every every, Instant start, Instant end) {
    List<Instant> slots = new ArrayList<>();
    for (int n = -120; n <= 120; n++) {
      Instant slot = every.anchor().plus(every.period().multipliedBy(n));
      if (slot.isAfter(start) && !slot.isAfter(end)) {
        slots.add(slot);
      }
    }
    return slots;
  }

  @Property(cases = 5_000)
  void a_long_outage_of_a_short_period_is_counted_without_walking_it(TimeGen any) {
    Every every = Every.of(Duration.ofSeconds(any.number(1, 10)));
    long periods = any.number(0L, 100_000_000_000L);
    Instant start = Instant.ofEpochSecond(any.number(0L, 1_000_000_000L));

    long count = every.between(start, start.plus(every.period().multipliedBy(periods))).count();

    assertThat(count).isEqualTo(periods);
  }

  @Property(cases = 5_000)
  void huge_periods_and_anchors_do_no_harm(TimeGen any) {
    Instant latest = Instant.MAX.truncatedTo(ChronoUnit.SECONDS);
    Every every =
        new Every(
            any.oneOf(
                Duration.ofSeconds(1), Duration.ofDays(1), any.every().period(), Every.MAX_PERIOD),
            any.oneOf(Instant.MIN, latest, Instant.EPOCH, any.every().anchor()));
    Instant asked = any.oneOf(Instant.MIN, Instant.MAX, Instant.EPOCH, any.instant());

    assertThatCode(
            () -> {
              assertThat(every.next(asked).filter(slot -> !slot.isAfter(asked))).isEmpty();
              assertThat(every.previous(asked).filter(slot -> !slot.isBefore(asked))).isEmpty();
              every.matches(asked);
            })
        .as("%s at %s", every, asked)
        .doesNotThrowAnyException();
  }

  @Property(cases = 10_000)
  void a_single_instant_comes_once(TimeGen any) {
    Instant at = any.instant();
    Once once = new Once(at);
    Instant asked =
        any.percent(30) ? at : at.plusSeconds(any.number(-3, 3)).plusNanos(any.number(-2, 2));

    assertThat(once.next(asked)).isEqualTo(Optional.of(at).filter(slot -> slot.isAfter(asked)));
    assertThat(once.previous(asked))
        .isEqualTo(Optional.of(at).filter(slot -> slot.isBefore(asked)));
    assertThat(once.matches(asked)).isEqualTo(asked.equals(at));
    assertThat(once.between(asked, at).count()).isEqualTo(asked.isBefore(at) ? 1 : 0);
  }
}
