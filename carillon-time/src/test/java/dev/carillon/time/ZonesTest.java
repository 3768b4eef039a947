package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names of zones are taken. */
class ZonesTest {
  @Test
  void every_region_of_the_time_zone_database_is_taken() {
    assertThat(Gen.ZONES).hasSizeGreaterThan(500);
    assertThat(Gen.ZONES).allSatisfy(zone -> assertThat(Zones.of(zone.getId())).isEqualTo(zone));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "GMT+5",
        "UTC+2",
        "UT+1",
        "Z",
        "+05:30",
        "-08:00",
        "PST",
        "IST",
        "BST",
        "CEST",
        "europe/berlin",
        "utc",
        "Europe/Berln",
        "Europe",
        " Europe/Berlin",
        "Europe/Berlin ",
        "SystemV/EST5",
        "SystemV/PST8PDT",
        "Mars/Olympus",
        "Europe/\u0130stanbul"
      })
  void anything_else_is_refused_by_name(String id) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Zones.of(id))
        .withMessageContaining(id.strip());
  }

  @Test
  void the_id_given_is_the_id_kept() {
    assertThat(Zones.of("US/Eastern")).isEqualTo(ZoneId.of("US/Eastern"));
  }
}
