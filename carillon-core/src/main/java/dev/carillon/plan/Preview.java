package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.Upcoming;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Fire;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which slots a definition will name. Pure. */
public final class Preview {
  private Preview() {}

  /**
   * Return the next slots after {@code after}, at most {@code count}. Of an interval that is
   * measured from the end of a run only the first, since the others are not known yet.
   */
  public static List<Upcoming> of(Definition definition, String key, Instant after, long count) {
    return Stream.iterate(
            Planner.next(definition, after),
            Optional::isPresent,
            slot -> slot.flatMap(last -> Planner.next(definition, last)))
        .limit(definition.pacing() == Pacing.FINISH ? Math.min(1, count) : count)
        .map(slot -> of(definition, key, slot.orElseThrow()))
        .toList();
  }

  /** Describe one slot. */
  public static Upcoming of(Definition definition, String key, Instant slot) {
    Fire fire = Fire.of(definition.timing(), ZoneOffset.UTC, slot);
    return new Upcoming(
        slot, definition.jitter().dueAt(definition.timing(), key, slot), fire.local(), fire.note());
  }
}
