package dev.carillon.plan;

import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.DueRule.HeldBack;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When the runs of one plan start whose due times have passed: catch-up says so, and quiet hours
 * hold them back. Calendars do not judge them again.
 */
final class LateStarts {
  private final CatchUp.Mode mode;
  private final DueRule rule;
  private final Instant now;
  private final Instant horizon;
  private final MergedSlots mergedSlots;

  private final Map<Instant, Instant> starts = new HashMap<>();
  private final Map<Instant, Instant> joined = new HashMap<>();
  private final Map<Instant, Obstacle> obstacles = new HashMap<>();
  private final Map<Instant, Instant> slotByEnd = new HashMap<>();
  private int apart;

  LateStarts(Standing standing, Instant now, Instant horizon, MergedSlots mergedSlots) {
    this.mode = standing.definition().catchUp().mode();
    this.rule = standing.moves().rule();
    this.now = now;
    this.horizon = horizon;
    this.mergedSlots = mergedSlots;
  }

  /**
   * Return those of {@code running} that become runs.
   *
   * @param catching those that were missed
   * @param parts among how many of them the time until the horizon is divided
   */
  List<SlotDue> startable(List<SlotDue> running, Set<SlotDue> catching, int parts) {
    int part = 0;
    var startable = new ArrayList<SlotDue>();
    for (SlotDue slot : running) {
      boolean missed = !catching.isEmpty() && catching.contains(slot);
      Instant start =
          missed ? caughtUp(slot, Math.min(++part, parts), Math.max(1, parts)) : slot.dueAt();
      Optional<HeldBack> held =
          missed || !start.isAfter(now)
              ? rule.heldBack(Instants.later(now, start))
              : Optional.empty();
      if (held.isPresent() ? holdBack(slot, held.get()) : start(slot, start)) {
        startable.add(slot);
      }
    }
    return startable;
  }

  private Instant caughtUp(SlotDue slot, int part, int parts) {
    return switch (mode) {
      case SPREAD -> share(part, parts);
      case ONCE -> Instants.later(slot.dueAt(), now);
      default -> slot.dueAt();
    };
  }

  /** Return the end of part {@code part} of the time until the horizon, cut in {@code parts}. */
  private Instant share(int part, int parts) {
    return now.plus(Duration.between(now, horizon).multipliedBy(part).dividedBy(parts));
  }

  /* Perhaps it is due with those that were held back until then. */
  private boolean start(SlotDue slot, Instant start) {
    Instant first = slotByEnd.get(slot.due());
    if (first != null) {
      joined.put(slot.slot(), first);
      return false;
    }
    starts.put(slot.slot(), start);
    return true;
  }

  private boolean holdBack(SlotDue slot, HeldBack held) {
    if (held.due() instanceof Due.Dropped dropped) {
      obstacles.put(slot.slot(), Obstacle.of(dropped));
      return false;
    }
    Instant end = ((Due.At) held.due()).at();
    if (!held.together()) { // a microsecond apart, so that each stays a run
      starts.put(slot.slot(), end.plus(apart++, ChronoUnit.MICROS));
      return true;
    }
    Optional<Instant> first =
        mergedSlots.earlier(end).or(() -> Optional.ofNullable(slotByEnd.get(end)));
    if (first.isPresent()) {
      joined.put(slot.slot(), first.get());
      return false;
    }
    slotByEnd.put(end, slot.slot());
    starts.put(slot.slot(), end);
    return true;
  }

  /** Return when the run of {@code slot} is due. */
  Instant dueAt(SlotDue slot) {
    return starts.getOrDefault(slot.slot(), slot.dueAt());
  }

  /** Return the slot whose run {@code slot} has become part of. */
  Optional<Instant> joined(Instant slot) {
    return Optional.ofNullable(joined.get(slot));
  }

  /** Return why {@code slot} becomes no run although it was to start late. */
  Optional<Obstacle> obstacle(Instant slot) {
    return Optional.ofNullable(obstacles.get(slot));
  }
}
