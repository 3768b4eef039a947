package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The laws that every timing obeys. */
class TimingProperties {
  @Property(cases = 15_000)
  void where_a_poll_falls_never_loses_or_repeats_a_slot(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);
    Instant middle = start.plus(any.upTo(Duration.ofHours(12)));
    Instant end = middle.plus(any.upTo(Duration.ofHours(12)));

    List<Instant> polledOnce = timing.between(start, end).stream().toList();
    List<Instant> polledTwice =
        Stream.of(timing.between(start, middle), timing.between(middle, end))
            .flatMap(Slots::stream)
            .toList();

    assertThat(polledTwice).as("%s from %s", timing, start).isEqualTo(polledOnce);
  }

  @Property(cases = 10_000)
  void slots_are_counted_as_they_are_enumerated(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);
    Duration most = any.percent(90) ? Duration.ofDays(3) : Duration.ofDays(60);
    Slots slots = timing.between(start, start.plus(any.upTo(most)));

    long enumerated = 0;
    for (Instant slot : slots) {
      assertThat(slot).isAfter(start);
      enumerated++;
    }

    assertThat(slots.count()).as("%s from %s", timing, start).isEqualTo(enumerated);
  }

  @Property(cases = 20_000)
  void next_is_later_and_previous_is_earlier(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);

    Optional<Instant> next = timing.next(start);
    Optional<Instant> previous = timing.previous(start);

    next.ifPresent(
        slot -> {
          assertThat(slot).as("%s after %s", timing, start).isAfter(start);
          assertThat(timing.matches(slot)).as("%s matches %s", timing, slot).isTrue();
          assertThat(timing.previous(slot).filter(before -> before.isAfter(start)))
              .as("%s between %s and %s", timing, start, slot)
              .isEmpty();
        });
    previous.ifPresent(
        slot -> {
          assertThat(slot).as("%s before %s", timing, start).isBefore(start);
          assertThat(timing.matches(slot)).as("%s matches %s", timing, slot).isTrue();
          assertThat(timing.next(slot).filter(after -> after.isBefore(start)))
              .as("%s between %s and %s", timing, slot, start)
              .isEmpty();
        });
  }

  @Property(cases = 20_000)
  void an_instant_matches_if_it_comes_next(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);
    Instant asked = any.percent(50) ? timing.next(start).orElse(start) : start;

    boolean comesNext = timing.next(asked.minusNanos(1)).equals(Optional.of(asked));

    assertThat(timing.matches(asked)).as("%s at %s", timing, asked).isEqualTo(comesNext);
  }

  @Property(cases = 10_000)
  void previous_is_the_last_of_the_slots_before(TimeGen any) {
    Timing timing = any.timing();
    Instant end = startFor(timing, any);
    Instant start = end.minus(any.upTo(Duration.ofDays(2)));

    Optional<Instant> last =
        timing.between(start, end.minusNanos(1)).stream().reduce((earlier, later) -> later);

    assertThat(timing.previous(end).filter(slot -> slot.isAfter(start)))
        .as("%s before %s", timing, end)
        .isEqualTo(last);
  }

  @Property(cases = 5_000)
  void no_instant_is_too_early_or_too_late_to_ask(TimeGen any) {
    Timing timing = any.timing();
    Instant far =
        any.oneOf(
            Instant.MIN,
            Instant.MIN.plusSeconds(any.number(0, 1_000_000)).plusNanos(any.number(0, 999)),
            Instant.MAX,
            Instant.MAX.minusSeconds(any.number(0, 1_000_000)).minusNanos(any.number(0, 999)),
            Instant.EPOCH,
            Instant.parse("2199-12-31T23:59:59Z"));

    assertThatCode(
            () -> {
              assertThat(timing.next(far).filter(slot -> !slot.isAfter(far))).isEmpty();
              assertThat(timing.previous(far).filter(slot -> !slot.isBefore(far))).isEmpty();
              assertThat(timing.matches(far))
                  .isEqualTo(
                      timing.between(far.minusNanos(far.equals(Instant.MIN) ? 0 : 1), far).count()
                          == 1);
            })
        .as("%s at %s", timing, far)
        .doesNotThrowAnyException();
  }

  @Property(cases = 5_000)
  void an_empty_or_reversed_stretch_has_no_slots(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);
    Slots slots = timing.between(start, start.minus(any.upTo(Duration.ofDays(400))));

    assertThat(slots.stream()).isEmpty();
    assertThat(slots.count()).isZero();
  }

  @Property(cases = 10_000)
  void every_timing_can_be_put_into_words_and_looked_over(TimeGen any) {
    Timing timing = any.timing();
    Instant start = startFor(timing, any);

    assertThatCode(
            () -> {
              assertThat(timing.describe()).isNotBlank().doesNotContain("null", "\n");
              assertThat(Lint.of(timing, start))
                  .allSatisfy(warning -> assertThat(warning.message()).isNotBlank());
            })
        .as("%s at %s", timing, start)
        .doesNotThrowAnyException();
  }

  private static Instant startFor(Timing timing, TimeGen any) {
    if (timing instanceof Cron cron) {
      return any.instantNearShiftOf(cron.zone());
    }
    if (timing instanceof EveryPeriod every) {
      return any.percent(50)
          ? any.instantNearShiftOf(every.zone())
          : every.next(any.instant()).orElse(Instant.EPOCH).plusNanos(any.number(-1, 1));
    }
    if (timing instanceof Once once && any.percent(80)) {
      return once.at().plusSeconds(any.number(-40_000, 40_000));
    }
    Instant somewhere = any.instant();
    return any.percent(50)
        ? somewhere
        : timing.next(somewhere).orElse(somewhere).plusNanos(any.number(-1, 1));
  }
}
