package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vector files, asked of the product and of its {@link Reference} alike. */
class VectorsTest {
  static Stream<Vector> vectors() {
    return Stream.of(Vector.ofOtherLibraries(), Vector.ofDialect()).flatMap(List::stream);
  }

  static Stream<Vector> firing() {
    return vectors().filter(vector -> !vector.next().isEmpty());
  }

  @Test
  void both_vector_files_are_complete() {
    assertThat(Vector.ofOtherLibraries()).hasSizeGreaterThanOrEqualTo(43);
    assertThat(Vector.ofDialect()).hasSizeGreaterThanOrEqualTo(196);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void the_reference_agrees(Vector vector) {
    Reference reference =
        new Reference(vector.expression(), vector.zone(), vector.gap(), vector.overlap());

    assertThat(reference.between(vector.from(), vector.horizon())).isEqualTo(vector.next());
  }

  @ParameterizedTest
  @MethodSource("firing")
  void next_agrees(Vector vector) {
    Cron cron = cron(vector);
    List<Instant> slots = new ArrayList<>();
    Optional<Instant> slot = cron.next(vector.from());
    while (slot.isPresent() && slots.size() < 3) {
      slots.add(slot.get());
      slot = cron.next(slot.get());
    }

    assertThat(slots).isEqualTo(vector.next());
  }

  @ParameterizedTest
  @MethodSource("firing")
  void previous_agrees(Vector vector) {
    Cron cron = cron(vector);
    List<Instant> slots = new ArrayList<>();
    Optional<Instant> slot = cron.previous(vector.horizon().plusNanos(1));
    while (slot.isPresent() && slot.get().isAfter(vector.from())) {
      slots.add(0, slot.get());
      slot = cron.previous(slot.get());
    }

    assertThat(slots).isEqualTo(vector.next());
  }

  @ParameterizedTest
  @MethodSource("firing")
  void between_agrees(Vector vector) {
    Slots slots = cron(vector).between(vector.from(), vector.horizon());

    assertThat(slots.stream()).isEqualTo(vector.next());
    assertThat(slots.count()).isEqualTo(vector.next().size());
  }

  private static Cron cron(Vector vector) {
    return Cron.parse(vector.expression(), vector.zone())
        .withGap(vector.gap())
        .withOverlap(vector.overlap());
  }
}
