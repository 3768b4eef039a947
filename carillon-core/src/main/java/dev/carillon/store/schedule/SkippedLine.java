package dev.carillon.store.schedule;

import dev.carillon.model.DroppedSlots;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.EnumText;
import java.util.Map;

/** The audit entry about slots that quiet hours left out. */
public final class SkippedLine {
  private SkippedLine() {}

  /** Return the entry about a stretch, which may go on after it was written. */
  public static AuditStore.Line of(long schedule, DroppedSlots dropped) {
    return new AuditStore.Line(
        schedule,
        "schedule.skipped",
        Map.of(
            "first", dropped.first().toString(),
            "last", dropped.last().toString(),
            "reason", EnumText.of(dropped.reason()),
            "quietHours", dropped.by().orElse("")));
  }
}
