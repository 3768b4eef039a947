package dev.carillon.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.server.store.ChangePosition;
import dev.carillon.server.store.ChangeStore.Snapshot;
import java.time.Instant;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChangeWatermarkTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final ChangeWatermark watermark = new ChangeWatermark();

  private static Instant at(long seconds) {
    return NOON.plusSeconds(seconds);
  }

  @Test
  void while_nothing_is_under_way_the_next_change_is_made_after_the_last_look() {
    watermark.seen(new Snapshot(7, 7), at(0));
    watermark.seen(new Snapshot(7, 7), at(1));

    ChangePosition place = watermark.seen(new Snapshot(9, 9), at(2));

    assertThat(place.transaction()).isEqualTo(9);
    assertThat(place.at()).isEqualTo(at(2));
  }

  @Test
  void what_takes_long_may_have_been_made_before_it_began_to_be_seen() {
    watermark.seen(new Snapshot(7, 7), at(0));
    for (int second = 1; second < 600; second++) {
      assertThat(watermark.seen(new Snapshot(7, 7 + second), at(second)).at()).isEqualTo(at(0));
    }

    assertThat(watermark.seen(new Snapshot(700, 700), at(600)).at()).isEqualTo(at(600));
  }

  @Test
  void what_ended_while_the_database_was_away_is_still_looked_for_two_minutes_later() {
    watermark.seen(new Snapshot(7, 7), at(0));
    watermark.lost(at(500));

    assertThat(watermark.seen(new Snapshot(8, 8), at(501)).at()).isEqualTo(at(0));
    assertThat(watermark.seen(new Snapshot(90, 90), at(620)).at()).isEqualTo(at(0));
    assertThat(watermark.seen(new Snapshot(95, 95), at(621)).at()).isEqualTo(at(621));
  }

  /** Transactions begin and end at random; some look is taken at random. */
  @Test
  void nothing_still_to_come_began_before_the_time_of_the_place() {
    long seed = Long.getLong("seed", System.nanoTime());
    var random = new Random(seed);
    var underWay = new TreeMap<Long, Instant>();
    long next = 100;
    watermark.seen(new Snapshot(next, next), at(0));
    for (int second = 1; second < 20_000; second++) {
      for (int begun = random.nextInt(3); begun > 0; begun--) {
        underWay.put(next++, at(second));
      }
      int patience = 1 + random.nextInt(20);
      underWay.keySet().removeIf(number -> random.nextInt(patience) == 0);
      if (random.nextInt(4) == 0) {
        long oldest = underWay.isEmpty() ? next : underWay.firstKey();
        ChangePosition place = watermark.seen(new Snapshot(oldest, next), at(second));
        assertThat(place.transaction()).isEqualTo(oldest);
        assertThat(underWay.values()).as("seed %s", seed).noneMatch(place.at()::isAfter);
      }
    }
  }
}
