package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageRoomTest {
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
