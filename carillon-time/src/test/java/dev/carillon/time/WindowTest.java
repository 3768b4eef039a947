package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final Instant NINE = Instant.parse("2026-05-01T09:00:00Z");
  private static final Instant TEN = Instant.parse("2026-05-01T10:00:00Z");
  private static final Instant ELEVEN = Instant.parse("2026-05-01T11:00:00Z");
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  private final Timing hourly = Every.of(Duration.ofHours(1));
  private final Window window = new Window(TEN, ELEVEN);

  @Test
  void both_ends_belong_to_the_window() {
    assertThat(window.between(hourly, Instant.MIN, Instant.MAX)).containsExactly(TEN, ELEVEN);
    assertThat(window.between(hourly, Instant.MIN, Instant.MAX).count()).isEqualTo(2);
  }

  @Test
  void the_next_slot_is_the_first_one_inside() {
    assertThat(window.next(hourly, NINE)).contains(TEN);
    assertThat(window.next(hourly, TEN)).contains(ELEVEN);
    assertThat(window.next(hourly, ELEVEN)).isEmpty();
  }

  @Test
  void the_previous_slot_is_the_last_one_inside() {
    assertThat(window.previous(hourly, NOON)).contains(ELEVEN);
    assertThat(window.previous(hourly, ELEVEN)).contains(TEN);
    assertThat(window.previous(hourly, TEN)).isEmpty();
    assertThat(new Window(TEN, ELEVEN.plusSeconds(1)).previous(hourly, NOON)).contains(ELEVEN);
  }

  @Test
  void an_open_window_changes_nothing() {
    assertThat(Window.ALWAYS.next(hourly, NINE)).contains(TEN);
    assertThat(Window.ALWAYS.previous(hourly, NINE)).isEqualTo(hourly.previous(NINE));
    assertThat(Window.from(TEN).next(hourly, Instant.MIN)).contains(TEN);
    assertThat(Window.until(TEN).previous(hourly, Instant.MAX)).contains(TEN);
  }

  @Test
  void a_window_that_ends_before_it_begins_is_refused() {
    assertThatThrownBy(() -> new Window(ELEVEN, TEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a window must not end before it begins");
  }
}
