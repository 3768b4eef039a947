package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZoneNamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Europe/Rome", "Asia/Kolkata", "US/Eastern", "Etc/GMT+5", "CET"})
  void regions_of_the_tz_database_are_accepted(String id) {
    assertThat(Zones.of(id)).isEqualTo(ZoneId.of(id));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          GMT+5        | 'GMT+5' is an offset, which knows no daylight saving; use UTC or a region such as Europe/Rome
          UTC+2        | 'UTC+2' is an offset, which knows no daylight saving; use UTC or a region such as Europe/Rome
          Z            | 'Z' is an offset, which knows no daylight saving; use UTC or a region such as Europe/Rome
          +05:30       | '+05:30' is an offset, which knows no daylight saving; use UTC or a region such as Europe/Rome
          PST          | 'PST' is an abbreviation, which means several zones or none; use a region such as Europe/Rome
          EST          | 'EST' is an abbreviation, which means several zones or none; use a region such as Europe/Rome
          europe/rome  | there is no zone 'europe/rome'; names are case-sensitive: use Europe/Rome
          utc          | there is no zone 'utc'; names are case-sensitive: use UTC
          Europe/Roma  | there is no zone 'Europe/Roma'; did you mean Europe/Rome?
          SystemV/EST5 | there is no zone 'SystemV/EST5'
          Mars/Base    | there is no zone 'Mars/Base'
          """)
  void anything_else_is_refused_with_what_may_have_been_meant(String id, String message) {
    assertThatThrownBy(() -> Zones.of(id))
        .isInstanceOf(UnknownZoneException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65, 10_000})
  void a_name_of_no_sensible_length_is_refused(int length) {
    assertThatThrownBy(() -> Zones.of("x".repeat(length)))
        .isInstanceOf(UnknownZoneException.class)
        .hasMessage("a zone is a name such as Europe/Rome, or UTC");
  }

  @Test
  void a_cron_timing_refuses_an_offset_for_a_zone() {
    assertThatThrownBy(() -> Cron.parse("0 0 * * *", ZoneOffset.ofHours(2)))
        .isInstanceOf(UnknownZoneException.class)
        .hasMessageContaining("'+02:00' is an offset");
  }

  @Test
  void an_allowlist_narrows_the_choice() {
    var allowed = AllowedZones.of(List.of("UTC", "Europe/*"));

    assertThat(allowed.named("Europe/Rome")).isEqualTo(ZoneId.of("Europe/Rome"));
    assertThat(allowed.named("UTC")).isEqualTo(ZoneId.of("UTC"));
    assertThatThrownBy(() -> allowed.named("Asia/Tokyo"))
        .isInstanceOf(UnknownZoneException.class)
        .hasMessage("zone 'Asia/Tokyo' is not allowed here; allowed are UTC, Europe/*");
    assertThatThrownBy(() -> allowed.named("Europe/Rom"))
        .hasMessage("there is no zone 'Europe/Rom'; did you mean Europe/Rome?");
    assertThat(AllowedZones.ALL.named("Asia/Tokyo")).isEqualTo(ZoneId.of("Asia/Tokyo"));
    assertThatThrownBy(() -> AllowedZones.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    for (String pattern : List.of("Europ", "Euro/*", "", "europe/*")) {
      assertThatThrownBy(() -> AllowedZones.of(List.of("UTC", pattern)))
          .as(pattern)
          .hasMessageContaining("no zone matches '" + pattern + "'");
    }
  }

  @Test
  void former_names_point_to_zones_with_the_same_rules_today() {
    var now = Instant.parse("2026-01-01T00:00:00Z");
    var former = ZoneId.getAvailableZoneIds().stream().filter(id -> isFormer(id)).toList();

    assertThat(former).hasSizeGreaterThan(100);
    assertThat(former)
        .allSatisfy(
            id -> {
              String message = Zones.warnings(ZoneId.of(id)).get(0).message();
              ZoneId today = Zones.of(message.substring(message.lastIndexOf(' ') + 1));
              assertThat(today.getRules().getOffset(now))
                  .isEqualTo(ZoneId.of(id).getRules().getOffset(now));
              assertThat(isFormer(today.getId())).isFalse();
            });
  }

  private static boolean isFormer(String id) {
    return Zones.warnings(ZoneId.of(id)).stream().anyMatch(w -> w.code().equals("FORMER_ZONE"));
  }

  @Test
  void the_reversed_sign_of_etc_zones_is_pointed_out() {
    assertThat(Zones.warnings(ZoneId.of("Etc/GMT+5")))
        .containsExactly(
            new Warning(
                "REVERSED_SIGN",
                "zone Etc/GMT+5 is UTC-05:00: the signs of these names are reversed"));
    assertThat(Zones.warnings(ZoneId.of("Europe/Rome"))).isEmpty();
  }

  @Test
  void the_version_of_the_tz_database_is_known() {
    assertThat(Zones.version()).matches("20\\d\\d[a-z]");
  }
}
