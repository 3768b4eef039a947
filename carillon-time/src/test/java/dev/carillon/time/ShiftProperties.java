package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cron against brute force on every day between 2020 and 2040 on which clocks change. */
class ShiftProperties {
  private static final int CASES = 10_000;
  private static final Duration AROUND = Duration.ofHours(22);
  private static final List<Shift> SHIFTS = shifts();

  /** A change of a zone's offset. */
  private record Shift(ZoneId zone, ZoneOffsetTransition transition) {
    Instant at() {
      return transition.getInstant();
    }
  }

  private static List<Shift> shifts() {
    Instant end = Instant.parse("2041-01-01T00:00:00Z");
    List<Shift> shifts = new ArrayList<>();
    for (ZoneId zone : TimeGen.ZONES) {
      Instant from = Instant.parse("2020-01-01T00:00:00Z");
      ZoneOffsetTransition next = zone.getRules().nextTransition(from);
      while (next != null && next.getInstant().isBefore(end)) {
        shifts.add(new Shift(zone, next));
        next = zone.getRules().nextTransition(next.getInstant());
      }
    }
    return shifts;
  }

  @Test
  void there_are_enough_cases_to_visit_every_shift() {
    assertThat(SHIFTS).hasSizeBetween(5_000, CASES);
  }

  @Property(cases = CASES)
  void every_shift_is_as_brute_force_sees_it_by_default(TimeGen any) {
    Shift shift = any.turn(SHIFTS);
    for (int i = 0; i < 2; i++) {
      compare(shift, DstGap.FIRE_AFTER, DstOverlap.AUTO, any);
    }
  }

  @Property(cases = CASES)
  void every_shift_is_as_brute_force_sees_it_when_gaps_are_skipped_and_overlaps_run_once(
      TimeGen any) {
    compare(any.turn(SHIFTS), DstGap.SKIP, DstOverlap.FIRST, any);
  }

  @Property(cases = CASES)
  void every_shift_is_as_brute_force_sees_it_when_overlaps_run_twice(TimeGen any) {
    compare(any.turn(SHIFTS), any.gap(), DstOverlap.BOTH, any);
  }

  private static void compare(Shift shift, DstGap gap, DstOverlap overlap, TimeGen any) {
    Twin twin = aimed(shift, gap, overlap, any);
    twin.assertSameSlots(shift.at().minus(AROUND), shift.at().plus(AROUND));
  }

  @Property(cases = CASES)
  void asking_from_inside_a_gap_or_overlap_agrees_with_the_list(TimeGen any) {
    Shift shift = any.turn(SHIFTS);
    Twin twin = aimed(shift, any.gap(), any.overlap(), any);
    Instant horizon = shift.at().plus(AROUND);
    List<Instant> slots = twin.reference().between(shift.at().minus(AROUND), horizon);
    long width = Math.abs(shift.transition().getDuration().toSeconds());

    for (int i = 0; i < 4; i++) {
      Instant inside = any.nearFullMinute(shift.at().plusSeconds(any.number(-width, width)));
      Optional<Instant> next = twin.cron().next(inside);
      Optional<Instant> previous = twin.cron().previous(inside);

      assertThat(next.filter(slot -> !slot.isAfter(horizon)))
          .as("%s after %s", twin, inside)
          .isEqualTo(slots.stream().filter(slot -> slot.isAfter(inside)).findFirst());
      assertThat(previous.filter(slot -> slot.isAfter(shift.at().minus(AROUND))))
          .as("%s before %s", twin, inside)
          .isEqualTo(slots.stream().filter(slot -> slot.isBefore(inside)).reduce((a, b) -> b));
      assertThat(twin.cron().between(inside, horizon).count())
          .as("%s, counted from %s to %s", twin, inside, horizon)
          .isEqualTo(slots.stream().filter(slot -> slot.isAfter(inside)).count());
      assertThat(twin.cron().matches(inside))
          .as("%s at %s", twin, inside)
          .isEqualTo(slots.contains(inside));
    }
  }

  private static Twin aimed(Shift shift, DstGap gap, DstOverlap overlap, TimeGen any) {
    return new Twin(
        any.expressionNear(shift.transition().getDateTimeBefore()), shift.zone(), gap, overlap);
  }
}
