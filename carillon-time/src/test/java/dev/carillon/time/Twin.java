package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** One expression, read by the product and by the reference. */
record Twin(
    String expression,
    ZoneId zone,
    DstGap gap,
    DstOverlap overlap,
    Cron cron,
    Reference reference) {

  Twin(String expression, ZoneId zone, DstGap gap, DstOverlap overlap) {
    this(
        expression,
        zone,
        gap,
        overlap,
        Cron.parse(expression, zone).withGap(gap).withOverlap(overlap),
        new Reference(expression, zone, gap, overlap));
  }

  /** Return how long a stretch may be, at most a year, to hold about {@code slots} slots. */
  Duration stretchOf(int slots) {
    return Duration.ofDays(Math.max(1, Math.min(366, slots / reference.slotsPerDay())));
  }

  /**
   * Fail, naming the first difference, unless both find and count the same slots in the stretch.
   */
  void assertSameSlots(Instant after, Instant through) {
    List<Instant> expected = reference.between(after, through);
    List<Instant> actual = cron.between(after, through).stream().toList();
    if (actual.equals(expected)) {
      assertThat(cron.between(after, through).count())
          .as("%s, counted between %s and %s", this, after, through)
          .isEqualTo(expected.size());
      return;
    }
    int same = 0;
    while (same < Math.min(actual.size(), expected.size())
        && actual.get(same).equals(expected.get(same))) {
      same++;
    }
    fail(
        "%s%nbetween %s and %s%nafter %d equal slots expected %s%nbut was %s",
        this,
        after,
        through,
        same,
        expected.stream().skip(same).limit(3).map(slot -> slot.atZone(zone)).toList(),
        actual.stream().skip(same).limit(3).map(slot -> slot.atZone(zone)).toList());
  }

  @Override
  public String toString() {
    return "'%s' in %s, gap %s, overlap %s".formatted(expression, zone, gap, overlap);
  }
}
