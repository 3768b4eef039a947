package dev.carillon.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NounsTest {
  private static final Instant SLOT = Instant.parse("2026-03-02T10:00:00Z");

  @Test
  void the_key_of_a_slot_is_derived_from_schedule_and_second() {
    assertThat(IdempotencyKey.of(new RunId(7, SLOT.plusMillis(5), 0), Optional.of("nightly")))
        .isEqualTo("80397430fef616a269e897ae48cf65e4016dd8cda722deed3f8e8c20163f9994");
  }

  @Test
  void manual_and_ad_hoc_runs_of_one_second_have_keys_of_their_own() {
    var manual = new RunId(7, SLOT, 1);
    var adHoc = new RunId(8, SLOT, 0);

    assertThat(
            List.of(
                IdempotencyKey.of(new RunId(7, SLOT, 0), Optional.of("nightly")),
                IdempotencyKey.of(manual, Optional.of("nightly")),
                IdempotencyKey.of(adHoc, Optional.empty()),
                IdempotencyKey.of(new RunId(9, SLOT, 0), Optional.empty())))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_stretch_of_no_slots_or_of_negative_length_is_refused() {
    assertThatThrownBy(() -> new DroppedSlots(SLOT, SLOT, 0, DroppedSlots.Reason.MISSED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such stretch: 0 slots from " + SLOT + " to " + SLOT);
    assertThatThrownBy(
            () -> new DroppedSlots(SLOT, SLOT.minusSeconds(1), 1, DroppedSlots.Reason.MISSED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\0", "a\0"})
  void a_pause_without_a_readable_reason_is_refused(String reason) {
    assertThatThrownBy(() -> new Pause(reason, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a pause needs a reason of 1 to 1000 characters: it is shown to whoever wonders why"
                + " nothing runs");
  }

  @Test
  void a_pause_has_a_reason_of_up_to_a_thousand_characters() {
    assertThat(new Pause("x".repeat(1_000), Optional.empty()).reason()).hasSize(1_000);
    assertThatThrownBy(() -> new Pause("x".repeat(1_001), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_run_tells_how_late_it_began_and_how_long_it_took() {
    Run run = run(Optional.of(SLOT.plusSeconds(7)), Optional.of(SLOT.plusSeconds(9)));

    assertThat(run.slot()).isEqualTo(SLOT);
    assertThat(run.lateness()).contains(Duration.ofSeconds(2));
    assertThat(run.duration()).contains(Duration.ofSeconds(2));
    assertThat(run.idempotencyKey()).isEqualTo(IdempotencyKey.of(run.id(), Optional.of("nightly")));
  }

  @Test
  void a_run_that_has_not_begun_is_neither_late_nor_long() {
    assertThat(run(Optional.empty(), Optional.of(SLOT)).lateness()).isEmpty();
    assertThat(run(Optional.empty(), Optional.of(SLOT)).duration()).isEmpty();
    assertThat(run(Optional.of(SLOT), Optional.empty()).duration()).isEmpty();
  }

  private static Run run(Optional<Instant> startedAt, Optional<Instant> finishedAt) {
    return new Run(
        new RunId(7, SLOT, 0),
        Optional.of("nightly"),
        1,
        Trigger.SCHEDULED,
        "log",
        Payload.EMPTY,
        SLOT.plusSeconds(5),
        RunState.SUCCEEDED,
        1,
        Optional.empty(),
        startedAt,
        finishedAt,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Overlap.SKIP,
        RunPolicy.DEFAULT,
        List.of(),
        Optional.empty());
  }
}
