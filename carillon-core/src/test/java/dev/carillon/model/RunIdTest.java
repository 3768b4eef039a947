package dev.carillon.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdTest {
  private static final Instant SLOT = Instant.parse("2026-03-02T10:00:00Z");
  private static final long LAST_SCHEDULE = (1L << 46) - 1;

  @Property(cases = 5_000)
  void a_run_is_found_again_by_its_identifier(Gen any) {
    RunId id = id(any);

    assertThat(RunId.of(id.uuid())).contains(id);
    assertThat(RunId.parse(id.toString())).contains(id);
    assertThat(id.uuid().version()).isEqualTo(8);
    assertThat(id.uuid().variant()).isEqualTo(2);
  }

  @Property(cases = 5_000)
  void identifiers_sort_by_slot_as_text_and_as_numbers(Gen any) {
    RunId one = id(any);
    RunId other = id(any);

    int bySlot = Integer.signum(one.slot().compareTo(other.slot()));
    if (bySlot != 0) {
      assertThat(Integer.signum(one.uuid().compareTo(other.uuid()))).isEqualTo(bySlot);
      assertThat(Integer.signum(one.toString().compareTo(other.toString()))).isEqualTo(bySlot);
    }
  }

  @Property(cases = 5_000)
  void a_number_that_is_an_identifier_is_the_identifier_of_that_run(Gen any) {
    long high = (any.number(Long.MIN_VALUE, Long.MAX_VALUE - 1) & ~0xF000L) | 0x8000L;
    long low = any.number(0L, (1L << 60) - 1) + Long.MIN_VALUE;
    var uuid = new UUID(high, low);

    RunId.of(uuid).ifPresent(id -> assertThat(id.uuid()).isEqualTo(uuid));
  }

  @Test
  void the_largest_numbers_have_their_place() {
    var id = new RunId(LAST_SCHEDULE, Instant.ofEpochMilli(1L << 48).minusNanos(1_000), 32_767);

    assertThat(RunId.of(id.uuid())).contains(id);
  }

  @Test
  void the_layout_is_the_one_that_is_stored() {
    assertThat(new RunId(7, SLOT.plusNanos(1_002_000), 3))
        .hasToString("019cadfd-8901-8008-8000-000000070003");
  }

  @Test
  void what_is_finer_than_a_microsecond_is_cut_off() {
    assertThat(new RunId(7, SLOT.plusNanos(1_999), 0))
        .isEqualTo(new RunId(7, SLOT.plusNanos(1_000), 0));
  }

  @Test
  void runs_are_ordered_by_schedule_then_slot_then_ordinal() {
    List<RunId> ordered =
        List.of(
            new RunId(1, SLOT.plusSeconds(9), 5),
            new RunId(2, SLOT, 0),
            new RunId(2, SLOT, 1),
            new RunId(2, SLOT.plusSeconds(1), 0));

    assertThat(Stream.of(3, 1, 0, 2).map(ordered::get).sorted()).isEqualTo(ordered);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "report",
        "019cadfd-8901-7008-8000-000000070003", // another version
        "019cadfd-8901-8008-9000-000000070003", // another variant
        "019cadfd-8901-8fff-8000-000000070003", // a thousand microseconds and more
        "019cadfd-8901-8008-8000-00000007ffff", // an ordinal out of bounds
        "019cadfd-8901-8008-8000-00000007000x",
        "019cadfd-8901-8008-8000-0000000700030"
      })
  void a_text_no_run_can_have_finds_none(String text) {
    assertThat(RunId.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, LAST_SCHEDULE + 1})
  void a_schedule_out_of_bounds_is_refused(long schedule) {
    assertThatThrownBy(() -> new RunId(schedule, SLOT, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no run belongs to schedule number " + schedule);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 32_768})
  void an_ordinal_out_of_bounds_is_refused(int ordinal) {
    assertThatThrownBy(() -> new RunId(7, SLOT, ordinal))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no run has ordinal " + ordinal);
  }

  @ParameterizedTest
  @MethodSource
  void a_slot_out_of_bounds_is_refused(Instant slot) {
    assertThatThrownBy(() -> new RunId(7, slot, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a slot must be from 1970 to 10889; was ");
  }

  static Stream<Instant> a_slot_out_of_bounds_is_refused() {
    return Stream.of(
        Instant.EPOCH.minusNanos(1_000), Instant.ofEpochMilli(1L << 48), Instant.MIN, Instant.MAX);
  }

  private static RunId id(Gen any) {
    return new RunId(
        any.percent(80) ? any.number(0, 1_000) : any.number(0, LAST_SCHEDULE),
        any.instant(),
        any.percent(80) ? 0 : any.number(0, 32_767));
  }
}
