package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WeeklyPatternTest {
  private static int longest(int shortest, QuietWindow... windows) {
    return new WeeklyPattern(List.of(windows)).longest(shortest);
  }

  @Test
  void the_longest_stretch_may_be_anywhere_in_the_week() {
    var monday = new QuietWindow(Set.of(DayOfWeek.MONDAY), HourSpan.DAY);
    var sunday = new QuietWindow(Set.of(DayOfWeek.SUNDAY), HourSpan.of("12:00", "24:00"));

    assertThat(longest(0)).isZero();
    assertThat(longest(0, monday)).isEqualTo(24 * 60);
    assertThat(longest(0, sunday)).isEqualTo(12 * 60);
    assertThat(longest(0, sunday, monday)).isEqualTo(36 * 60);
    assertThat(longest(0, QuietWindow.daily("22:00-07:00"))).isEqualTo(9 * 60);
  }

  @Test
  void a_break_that_the_clocks_may_skip_does_not_count() {
    var days = EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.TUESDAY);
    var early = new QuietWindow(days, HourSpan.of("00:00", "23:30"));

    assertThat(longest(0, early)).isEqualTo(23 * 60 + 30);
    assertThat(longest(60, early)).isEqualTo(47 * 60 + 30);
    assertThat(longest(60, QuietWindow.daily("00:00-23:30"))).isEqualTo(2 * WeeklyPattern.WEEK);
    assertThat(longest(60, QuietWindow.daily("22:00-07:00"))).isEqualTo(9 * 60);
  }
}
