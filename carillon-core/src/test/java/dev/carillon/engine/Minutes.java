package dev.carillon.engine;

import dev.carillon.ScheduleDraft;
import dev.carillon.model.Decision;
import dev.carillon.model.DroppedSlots;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** A schedule of every minute, and the minutes of the day on which the tests begin. */
final class Minutes {
  private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

  private Minutes() {}

  static ScheduleDraft minutely() {
    return ScheduleDraft.named("minutely").target("bell").cron("* * * * *").overlap(Overlap.ALLOW);
  }

  static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  static List<Instant> minutes(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(minute -> at("00:00:00").plus(Duration.ofMinutes(minute)))
        .toList();
  }

  /** Return the slots of a schedule that became no run. */
  static List<DroppedSlots> dropped(ManualCarillon node, String key) {
    return node.schedules().decisions(key, Instant.EPOCH, END, 100).stream()
        .map(Decision::droppedSlots)
        .toList();
  }
}
