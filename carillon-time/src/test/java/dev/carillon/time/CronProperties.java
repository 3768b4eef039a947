package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Cron against brute force, at any time in any zone. */
class CronProperties {
  @Property(cases = 8_000)
  void cron_finds_the_slots_that_brute_force_finds(TimeGen any) {
    Twin twin = any.twin();
    Instant start = any.instantNearShiftOf(twin.zone());

    Instant end = any.nearFullMinute(start.plus(any.upTo(twin.stretchOf(1_500))));
    twin.assertSameSlots(start, end);
  }

  @Property(cases = 20)
  void cron_finds_every_second_that_brute_force_finds(TimeGen any) {
    String expression = any.oneOf("* * 0-3 * * *", "*/7 * 23,0-2 * * *", "* */2 * * * *");
    Twin twin = new Twin(expression, any.zone(), any.gap(), any.overlap());
    Instant start = any.instantNearShiftOf(twin.zone());

    twin.assertSameSlots(start, start.plus(any.upTo(Duration.ofDays(1))));
  }

  @Property(cases = 15_000)
  void next_is_the_first_slot_that_brute_force_finds(TimeGen any) {
    Twin twin = any.twin();
    Instant start = any.instantNearShiftOf(twin.zone());
    Instant horizon = start.plus(twin.stretchOf(300));

    Optional<Instant> next = twin.cron().next(start);

    Optional<Instant> expected = twin.reference().between(start, horizon).stream().findFirst();
    assertThat(next.filter(slot -> !slot.isAfter(horizon)))
        .as("%s after %s", twin, start)
        .isEqualTo(expected);
  }

  @Property(cases = 15_000)
  void previous_is_the_last_slot_that_brute_force_finds(TimeGen any) {
    Twin twin = any.twin();
    Instant end = any.instantNearShiftOf(twin.zone());
    Instant horizon = end.minus(twin.stretchOf(300));

    Optional<Instant> previous = twin.cron().previous(end);

    List<Instant> expected = twin.reference().between(horizon, end.minusNanos(1));
    assertThat(previous.filter(slot -> slot.isAfter(horizon)))
        .as("%s before %s", twin, end)
        .isEqualTo(expected.stream().reduce((earlier, later) -> later));
  }

  @Property(cases = 1_000)
  void next_years_away_is_found_too(TimeGen any) {
    Twin twin = any.twin();
    Instant start = any.instant();

    Optional<Instant> next = twin.cron().next(start);

    Instant horizon = next.orElse(Instant.parse("2200-01-02T00:00:00Z"));
    assertThat(twin.reference().between(start, horizon))
        .as("%s after %s", twin, start)
        .isEqualTo(next.stream().toList());
  }

  @Property(cases = 3_000)
  void the_search_ends_where_brute_force_ends(TimeGen any) {
    Twin twin = any.twin();
    Instant edge = any.oneOf(Instant.EPOCH, Instant.parse("2200-01-01T00:00:00Z"));
    Instant start = edge.plusSeconds(any.number(-400_000, 400_000));
    Instant end = start.plusSeconds(any.number(0, 400_000));

    List<Instant> slots = twin.reference().between(start, end);

    twin.assertSameSlots(start, end);
    assertThat(twin.cron().previous(end.plusNanos(1)).filter(slot -> slot.isAfter(start)))
        .as("%s before %s", twin, end)
        .isEqualTo(slots.stream().reduce((earlier, later) -> later));
  }

  @Property(cases = 300)
  void slots_of_many_years_are_counted_as_they_are_enumerated(TimeGen any) {
    Twin twin = any.twin();
    Instant start = any.instantNearShiftOf(twin.zone());
    long days = 20_000 / twin.reference().slotsPerDay();
    Slots slots = twin.cron().between(start, start.plus(any.upTo(Duration.ofDays(days))));

    assertThat(slots.count()).as("%s", slots).isEqualTo(slots.stream().mapToInt(slot -> 1).sum());
  }

  @Property(cases = 10_000)
  void what_is_written_is_what_is_read(TimeGen any) {
    Twin twin = any.twin();

    Cron again = Cron.parse(twin.cron().expression(), twin.zone());

    assertThat(again.withGap(twin.gap()).withOverlap(twin.overlap())).isEqualTo(twin.cron());
    assertThat(again.expression()).isEqualTo(twin.cron().expression());
  }

  @Property(cases = 4_000)
  void the_resolved_expression_has_the_same_slots(TimeGen any) {
    Twin twin = any.twin();
    Instant start = any.instantNearShiftOf(twin.zone());
    Instant end = start.plus(any.upTo(twin.stretchOf(500)));

    String resolved = twin.cron().resolved();

    Cron again = Cron.parse(resolved, twin.zone()).withGap(twin.gap()).withOverlap(twin.overlap());
    assertThat(again.between(start, end).stream().toList())
        .as("%s, resolved to '%s', after %s", twin, resolved, start)
        .isEqualTo(twin.cron().between(start, end).stream().toList());
    assertThat(again.resolved()).isEqualTo(resolved);
  }

  @Property(cases = 20_000)
  void a_slip_of_the_pen_is_refused_or_means_what_the_reference_reads(TimeGen any) {
    String expression = any.mutated();
    if (expression.contains("H") || expression.contains("@")) {
      return;
    }
    Twin twin;
    try {
      Cron.parse(expression, any.zone());
      twin = new Twin(expression, any.zone(), DstGap.FIRE_AFTER, DstOverlap.AUTO);
    } catch (CronSyntaxException refused) {
      return;
    }
    Instant start = any.instantNearShiftOf(twin.zone());
    twin.assertSameSlots(start, start.plus(any.upTo(twin.stretchOf(200))));
  }
}
