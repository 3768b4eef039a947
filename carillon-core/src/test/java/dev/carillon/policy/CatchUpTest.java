package dev.carillon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatchUpTest {
  @Test
  void by_itself_as_many_slots_as_there_may_be_of_any_age_and_ten_seconds_of_grace() {
    assertThat(CatchUp.skip())
        .isEqualTo(
            new CatchUp(CatchUp.Mode.SKIP, 10_000, Optional.empty(), Duration.ofSeconds(10)));
    assertThat(CatchUp.once().mode()).isEqualTo(CatchUp.Mode.ONCE);
    assertThat(CatchUp.all().mode()).isEqualTo(CatchUp.Mode.ALL);
    assertThat(CatchUp.spread().mode()).isEqualTo(CatchUp.Mode.SPREAD);
  }

  @Test
  void each_part_is_changed_without_the_others() {
    assertThat(CatchUp.all().limit(5).maxAge(Duration.ofHours(1)).grace(Duration.ZERO))
        .isEqualTo(
            new CatchUp(CatchUp.Mode.ALL, 5, Optional.of(Duration.ofHours(1)), Duration.ZERO));
    assertThat(CatchUp.all().limit(5).maxAge(Duration.ofHours(1)).mode(CatchUp.Mode.ONCE).anyAge())
        .isEqualTo(CatchUp.once().limit(5));
  }

  @ParameterizedTest
  @CsvSource({
    "skip, SKIP",
    "none, SKIP",
    "once, ONCE",
    "run_once, ONCE",
    "all, ALL",
    "run_all, ALL",
    "fire_immediately, ALL",
    "run_all_capped, ALL",
    "spread, SPREAD",
    "SKIP, SKIP"
  })
  void modes_go_by_our_names_and_by_those_of_others(String name, CatchUp.Mode mode) {
    assertThat(CatchUp.modeNamed(name)).isEqualTo(mode);
  }

  @Test
  void an_unknown_mode_is_refused_with_the_known_ones() {
    assertThatThrownBy(() -> CatchUp.modeNamed("sometimes"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'sometimes' is no catch-up mode; use skip, once, all or spread");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001})
  void a_limit_out_of_bounds_is_refused(int limit) {
    assertThatThrownBy(() -> CatchUp.all().limit(limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "catch-up limit must be from 1 to 10000; was "
                + limit
                + "; to run none, use mode skip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.001S", "PT876600H0.001S"})
  void a_grace_out_of_bounds_is_refused(Duration grace) {
    assertThatThrownBy(() -> CatchUp.all().grace(grace))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("grace must be from 0 to 36525d; was " + grace);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT876600H0.001S"})
  void an_age_out_of_bounds_is_refused(Duration maxAge) {
    assertThatThrownBy(() -> CatchUp.all().maxAge(maxAge))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max age must be above 0 and at most 36525d; was " + maxAge);
  }

  @Test
  void the_bounds_themselves_are_accepted() {
    Duration longest = Duration.ofDays(36_525);

    assertThat(CatchUp.all().limit(1).limit(10_000).grace(longest).maxAge(longest).limit())
        .isEqualTo(CatchUp.MAX_LIMIT);
  }
}
