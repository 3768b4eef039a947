package dev.carillon.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.store.jdbc.PageRoom;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ReplyMemoryTest {
  private static final long SHARE = 64L * 1024 * 1024;

  private final ReplyMemory memory = new ReplyMemory(8 * SHARE);

  @Test
  void what_is_made_is_counted_until_it_is_made() {
    assertThat(memory.<Long>makingPage(memory::taken)).isEqualTo(ReplyMemory.PAGE_BYTES);
    assertThat(memory.<Long>makingItem(memory::taken)).isEqualTo(ReplyMemory.ITEM_BYTES);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void a_small_page_takes_less_and_is_made_again_as_any_page_if_it_is_not_small() {
    assertThat(memory.<Long>makingSmallPage(memory::taken)).isEqualTo(ReplyMemory.SMALL_PAGE_BYTES);

    var taken = new ArrayList<Long>();
    assertThat(
            memory.<Integer>makingSmallPage(
                () -> {
                  taken.add(memory.taken());
                  PageRoom room = PageRoom.of(500);
                  int items = 0;
                  while (room.take(64L * 1024)) {
                    items++;
                  }
                  return items;
                }))
        .isEqualTo(PageRoom.MAX_BYTES / (66 * 1024));
    assertThat(taken).containsExactly(ReplyMemory.SMALL_PAGE_BYTES, ReplyMemory.PAGE_BYTES);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void pages_are_refused_before_other_replies_while_clients_do_not_read() {
    assertThat(memory.take(SHARE)).isTrue();

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> memory.makingPage(() -> 1))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.UNAVAILABLE));
    assertThat(memory.<Integer>makingItem(() -> 1)).isEqualTo(1);

    memory.free(SHARE);
    assertThat(memory.<Integer>makingPage(() -> 1)).isEqualTo(1);
  }

  @Test
  void later_replies_are_made_beside_pages_or_refused_at_once() {
    assertThat(memory.<Long>makingLater(memory::taken)).isEqualTo(ReplyMemory.ITEM_BYTES);
    memory.takeAnyway(SHARE);
    assertThat(memory.<Integer>makingLater(() -> 1)).as("pages are not read").isEqualTo(1);

    memory.takeAnyway(SHARE);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> memory.makingLater(() -> 1))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.UNAVAILABLE));
    assertThat(memory.taken()).isEqualTo(2 * SHARE);
  }

  @Test
  void small_replies_and_those_to_changes_are_always_written() {
    memory.takeAnyway(3 * SHARE);

    assertThat(memory.take(ReplyMemory.SMALL_BYTES)).isTrue();
    assertThat(memory.take(ReplyMemory.SMALL_BYTES + 1)).isFalse();
  }
}
