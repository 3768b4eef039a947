package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import org.junit.jupiter.api.Test;

class SteadyOffsetTest {
  @Test
  void no_zone_changes_its_clocks_twice_in_six_days() {
    Instant end = Instant.parse("2200-01-10T00:00:00Z");
    for (String id : ZoneId.getAvailableZoneIds()) {
      var rules = ZoneId.of(id).getRules();
      Instant last = Instant.EPOCH.minus(Duration.ofDays(20));
      for (ZoneOffsetTransition change = rules.nextTransition(last);
          change != null && change.getInstant().isBefore(end);
          change = rules.nextTransition(last)) {
        assertThat(Duration.between(last, change.getInstant()))
            .as("%s at %s", id, change)
            .isGreaterThan(Duration.ofDays(6));
        last = change.getInstant();
      }
    }
  }
}
