package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import dev.carillon.time.ClockChange.Effect;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What clock changes do to local times, also to those that are no slots for it. */
class ClockChangeTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Cron HALF_PAST_TWO = Cron.parse("30 2 * * *", ROME);
  private static final Instant FORWARD = Instant.parse("2027-03-28T01:00:00Z");
  private static final Instant HALF_AN_HOUR_LATER = Instant.parse("2027-03-28T01:30:00Z");
  private static final Instant FIRST = Instant.parse("2027-10-31T00:30:00Z");
  private static final Instant SECOND = Instant.parse("2027-10-31T01:30:00Z");

  private static Optional<Effect> effect(Timing timing, Instant instant) {
    return ClockChange.at(timing, instant).map(ClockChange::effect);
  }

  @Test
  void a_slot_moved_out_of_a_gap_says_from_where() {
    assertThat(ClockChange.at(HALF_PAST_TWO, FORWARD))
        .contains(
            new ClockChange(
                Effect.MOVED,
                LocalDateTime.parse("2027-03-28T02:30"),
                LocalDateTime.parse("2027-03-28T02:00"),
                LocalDateTime.parse("2027-03-28T03:00"),
                Optional.of(FORWARD)));
  }

  @Test
  void an_instant_that_unset_clocks_would_show_as_the_named_time_says_where_its_slot_is() {
    assertThat(ClockChange.at(HALF_PAST_TWO, HALF_AN_HOUR_LATER))
        .contains(ClockChange.at(HALF_PAST_TWO, FORWARD).orElseThrow());
  }

  @Test
  void a_local_time_may_be_left_out() {
    Cron strict = HALF_PAST_TWO.withGap(DstGap.SKIP);

    assertThat(effect(strict, HALF_AN_HOUR_LATER)).contains(Effect.LEFT_OUT);
    assertThat(ClockChange.at(strict, HALF_AN_HOUR_LATER).flatMap(ClockChange::slot)).isEmpty();
    assertThat(effect(strict, FORWARD)).isEmpty();
  }

  @Test
  void a_repeated_time_says_which_of_the_two_it_is() {
    Cron both = HALF_PAST_TWO.withOverlap(DstOverlap.BOTH);

    assertThat(effect(both, FIRST)).contains(Effect.FIRST_OF_TWO);
    assertThat(effect(both, SECOND)).contains(Effect.SECOND_OF_TWO);
    assertThat(effect(HALF_PAST_TWO, FIRST)).contains(Effect.ONLY_FIRST);
    assertThat(effect(HALF_PAST_TWO, SECOND)).contains(Effect.NOT_AGAIN);
    assertThat(ClockChange.at(HALF_PAST_TWO, SECOND).flatMap(ClockChange::slot)).contains(FIRST);
  }

  @Test
  void a_period_of_the_calendar_moves_as_well() {
    EveryPeriod daily =
        new EveryPeriod(Period.ofDays(1), LocalDateTime.parse("2027-01-01T02:30"), ROME);

    assertThat(effect(daily, FORWARD)).contains(Effect.MOVED);
    assertThat(effect(daily, SECOND)).contains(Effect.NOT_AGAIN);
  }

  @Test
  void an_ordinary_instant_has_none() {
    assertThat(effect(HALF_PAST_TWO, Instant.parse("2027-03-29T00:30:00Z"))).isEmpty();
    assertThat(effect(HALF_PAST_TWO, Instant.parse("2027-03-28T01:15:00Z"))).isEmpty();
    assertThat(effect(HALF_PAST_TWO, FORWARD.plusNanos(1))).isEmpty();
    assertThat(effect(Every.of(Duration.ofHours(1)), FORWARD)).isEmpty();
    assertThat(effect(HALF_PAST_TWO, Instant.MAX)).isEmpty();
    assertThat(effect(HALF_PAST_TWO, Instant.MIN)).isEmpty();
  }

  /* The local times that a timing names are the slots it has in UTC. */
  @Property(cases = 300)
  void every_named_time_that_is_no_slot_for_a_clock_change_says_so(TimeGen any) {
    ZoneId zone = any.zone();
    ZoneOffsetTransition change = zone.getRules().nextTransition(any.instant());
    if (change == null || change.getDuration().abs().compareTo(Duration.ofHours(3)) > 0) {
      return;
    }
    String expression =
        any.oneOf("%d %d * * *", "%d,45 %d,3 * * *").formatted(any.number(0, 59), any.number(0, 3));
    Cron timing = Cron.parse(expression, zone).withGap(any.gap()).withOverlap(any.overlap());
    Cron named = Cron.parse(expression);
    ZoneOffset unset = change.isGap() ? change.getOffsetBefore() : change.getOffsetAfter();
    for (long second = 0; second < change.getDuration().abs().toSeconds(); second += 60) {
      Instant instant = change.getInstant().truncatedTo(ChronoUnit.MINUTES).plusSeconds(second);
      LocalDateTime local = LocalDateTime.ofInstant(instant, unset);
      if (instant.isBefore(change.getInstant()) || timing.matches(instant)) {
        continue;
      }

      Optional<ClockChange> said = ClockChange.at(timing, instant);

      assertThat(said.map(ClockChange::named))
          .as("%s at %s", timing, instant)
          .isEqualTo(
              named.matches(local.toInstant(ZoneOffset.UTC))
                  ? Optional.of(local)
                  : Optional.empty());
      assertThat(said.flatMap(ClockChange::slot).stream()).allMatch(timing::matches);
    }
  }
}
