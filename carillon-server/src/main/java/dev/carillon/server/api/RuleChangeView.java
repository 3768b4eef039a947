package dev.carillon.server.api;

import dev.carillon.model.ReplanResult;
import dev.carillon.model.SlotShift;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a change of a calendar or of quiet hours does to schedules, as JSON. */
final class RuleChangeView {
  private RuleChangeView() {}

  /** Add what the change does to slots to come, and how many planned runs it changed so far. */
  static void add(Map<String, @Nullable Object> view, SlotShift shift, ReplanResult replan) {
    add(view, shift);
    var replanned = new LinkedHashMap<String, @Nullable Object>();
    replanned.put("runs", replan.runs());
    replanned.put("done", replan.done());
    view.put("replanned", replanned);
  }

  /** Add what the change would do to slots to come. */
  static void add(Map<String, @Nullable Object> view, SlotShift shift) {
    var slots = new LinkedHashMap<String, @Nullable Object>();
    slots.put("schedules", shift.schedules());
    slots.put("moved", shift.moved());
    slots.put("lost", shift.lost());
    slots.put("gained", shift.gained());
    slots.put("complete", shift.complete());
    view.put("slots", slots);
  }
}
