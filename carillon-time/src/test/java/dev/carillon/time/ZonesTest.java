package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names of zones are taken. */
class ZonesTest {
  @Test
  void every_region_of_the_time_zone_database_is_taken() {
    assertThat(TimeGen.ZONES).hasSizeGreaterThan(500);
    assertThat(TimeGen.ZONES)
        .allSatisfy(zone -> assertThat(Zones.of(zone.getId())).isEqualTo(zone));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "UT+1",
        "-08:00",
        "IST",
        "BST",
        "CEST",
        "Europe/Berln",
        "Europe",
        " Europe/Berlin",
        "Europe/Berlin ",
        "SystemV/PST8PDT",
        "Europe/\u0130stanbul"
      })
  void what_only_resembles_a_region_is_refused(String id) {
    assertThatExceptionOfType(UnknownZoneException.class).isThrownBy(() -> Zones.of(id));
  }
}
