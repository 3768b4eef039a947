package dev.carillon.server.api;

import dev.carillon.Schedules;
import dev.carillon.model.UpcomingSlot;
import java.time.Instant;
import java.util.List;

/** The slots a schedule has before it. */
public final class NextSlots {
  private NextSlots() {}

  /** Return the next {@code count} slots of the schedule called {@code key}, as things stand. */
  public static List<Instant> of(Schedules schedules, String key, int count) {
    return schedules.preview(key, count).orElse(List.of()).stream()
        .map(UpcomingSlot::slot)
        .toList();
  }
}
