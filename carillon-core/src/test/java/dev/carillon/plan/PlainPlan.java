package dev.carillon.plan;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a plan should decide about each slot, found by walking all of them. */
final class PlainPlan {
  static final String RUN = "RUN";

  private PlainPlan() {}

  /** Return what the plan of {@code scene} decides, slot by slot; fail if it decides one twice. */
  static Map<Instant, String> decided(Scene scene, Plan plan) {
    var decided = new TreeMap<Instant, String>();
    for (PlannedRun run : plan.runs()) {
      decide(decided, run.slot(), RUN);
    }
    for (DroppedSlots range : plan.dropped()) {
      List<Instant> slots =
          scene.timing().between(range.first().minusNanos(1), range.last()).stream().toList();
      boolean exact =
          slots.size() == range.slots()
              && slots.get(0).equals(range.first())
              && slots.get(slots.size() - 1).equals(range.last());
      if (!exact) {
        throw new AssertionError(range + " is not " + slots);
      }
      slots.forEach(slot -> decide(decided, slot, range.reason().name()));
    }
    return decided;
  }

  private static void decide(Map<Instant, String> decided, Instant slot, String what) {
    String before = decided.put(slot, what);
    if (before != null) {
      throw new AssertionError(slot + " was " + before + " and is now " + what);
    }
  }

  /** Return what should be decided about each slot up to {@code through}. */
  static Map<Instant, String> expected(Scene scene, Instant through) {
    var expected = new TreeMap<Instant, String>();
    var missed = new ArrayList<Instant>();
    var settled = scene.given().standing().settled();
    for (Instant slot : scene.timing().between(scene.start(), through)) {
      if (slot.isAfter(scene.window().until()) || settled.contains(slot)) {
        continue;
      }
      if (slot.isBefore(scene.window().from())) {
        expected.put(slot, Reason.OUTSIDE_WINDOW.name());
      } else if (scene.isMissed(slot)) {
        missed.add(slot);
      } else {
        expected.put(slot, RUN);
      }
    }
    for (int i = 0; i < missed.size(); i++) {
      expected.put(missed.get(i), missed(scene, missed.get(i), missed.size() - i));
    }
    return expected;
  }

  private static String missed(Scene scene, Instant slot, int rankFromNewest) {
    boolean old =
        scene.catchUp().maxAge().map(scene.now()::minus).filter(slot::isBefore).isPresent();
    return switch (scene.catchUp().mode()) {
      case SKIP -> Reason.MISSED.name();
      case ONCE -> old || rankFromNewest > 1 ? Reason.MISSED.name() : RUN;
      case ALL, SPREAD ->
          old
              ? Reason.MISSED.name()
              : rankFromNewest > scene.catchUp().limit() ? Reason.LIMIT.name() : RUN;
    };
  }
}
