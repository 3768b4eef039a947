package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class PageRoomTest {
  @Test
  void a_page_that_is_to_be_small_is_given_up_when_it_is_not() {
    int items =
        PageRoom.within(
            64 * 1024,
            () -> {
              PageRoom room = PageRoom.of(500);
              int taken = 0;
              while (taken < 10 && room.take(1024)) {
                taken++;
              }
              return taken;
            });
    assertThat(items).isEqualTo(10);

    assertThatExceptionOfType(PageLimitException.class)
        .isThrownBy(() -> PageRoom.within(64 * 1024, () -> PageRoom.of(500).take(64 * 1024)));
    assertThat(PageRoom.of(500).take(64 * 1024)).as("the limit is over").isTrue();
  }

  @Test
  void a_page_takes_so_many_items_and_is_full_when_another_one_comes() {
    PageRoom room = PageRoom.of(2);

    assertThat(room.take(1)).isTrue();
    assertThat(room.take(1)).isTrue();
    assertThat(room.isFull()).isFalse();
    assertThat(room.take(1)).isFalse();
    assertThat(room.isFull()).isTrue();
  }

  @Test
  void a_page_takes_so_many_bytes_and_nothing_after_what_did_not_fit() {
    PageRoom room = PageRoom.of(500);

    assertThat(room.take(PageRoom.MAX_BYTES / 2)).isTrue();
    assertThat(room.take(PageRoom.MAX_BYTES / 2)).isFalse();
    assertThat(room.take(1)).isFalse();
  }

  @Test
  void the_first_item_fits_whatever_its_size() {
    PageRoom room = PageRoom.of(500);

    assertThat(room.take(10L * PageRoom.MAX_BYTES)).isTrue();
    assertThat(room.take(1)).isFalse();
  }

  @Test
  void five_hundred_small_items_are_a_page() {
    PageRoom room = PageRoom.of(500);

    for (int i = 0; i < 500; i++) {
      assertThat(room.take(1_000)).isTrue();
    }
    assertThat(room.isFull()).isFalse();
  }
}
