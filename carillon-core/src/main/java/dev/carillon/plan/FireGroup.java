package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Schedules that fire at the same slots.
 *
 * @param definition when they fire
 * @param outlook how far they are
 * @param schedules how many they are; one if jitter moves its fires by its key
 * @param keys the first of their keys, in the order of the alphabet
 * @param rule what moves their due times
 */
public record FireGroup(
    Definition definition, Outlook outlook, long schedules, List<String> keys, DueRule rule) {
  public FireGroup {
    keys = List.copyOf(keys);
  }

  /** Schedules whose slots are due at their own time. */
  public FireGroup(Definition definition, Outlook outlook, long schedules, List<String> keys) {
    this(definition, outlook, schedules, keys, DueRule.NONE);
  }

  /**
   * What is known of the slots to come.
   *
   * @param next the next slot to plan; empty if there is none for now, or while they are paused
   * @param pauseFrom the first instant whose slots do not run, if a pause is to come
   * @param resumeAt when the pause ends that has begun or is to come
   * @param plannedRuns how many slots became runs so far
   * @param planned when the runs are due that were planned and have not started
   * @param settled slots to plan that have a run already, in order
   * @param ahead the slots of the planned runs
   */
  public record Outlook(
      Optional<Instant> next,
      Optional<Instant> pauseFrom,
      Optional<Instant> resumeAt,
      long plannedRuns,
      List<Instant> planned,
      List<Instant> settled,
      List<Instant> ahead) {
    public Outlook {
      planned = List.copyOf(planned);
      settled = List.copyOf(settled);
      ahead = List.copyOf(ahead);
    }
  }

  /** Slots after {@code after} up to {@code through}. */
  record Stretch(Instant after, Instant through) {}

  /** Return how many more slots may become runs. */
  long runsLeft() {
    long most = definition.maxRuns();
    return most == 0 ? Long.MAX_VALUE : Math.max(0, most - outlook.plannedRuns);
  }

  /** Return where the slots lie that become runs as things stand, in the order of time. */
  List<Stretch> stretches(Instant now) {
    var stretches = new ArrayList<Stretch>();
    outlook.next.ifPresent(
        next -> {
          /* What is overdue is up to the planner. */
          Instant come = come(now);
          Instant after = next.isAfter(come) ? Instants.justBefore(next) : come;
          Instant through =
              outlook
                  .pauseFrom
                  .map(from -> SlotsToCome.from(definition.timing(), rule, from))
                  .map(Instants::justBefore)
                  .orElse(Instant.MAX);
          add(stretches, after, through);
        });
    outlook.resumeAt.ifPresent(end -> add(stretches, come(end), Instant.MAX));
    return stretches;
  }

  /** Return the instant up to which the slots have come by {@code instant}. */
  Instant come(Instant instant) {
    return SlotsToCome.after(definition.timing(), rule, instant);
  }

  private void add(List<Stretch> stretches, Instant after, Instant through) {
    Instant start = after;
    for (Instant slot : outlook.settled) {
      if (slot.isAfter(start) && !slot.isAfter(through)) {
        stretches.add(new Stretch(start, Instants.justBefore(slot)));
        start = slot;
      }
    }
    if (start.isBefore(through)) {
      stretches.add(new Stretch(start, through));
    }
  }

  /** Return the only slot that is known of an interval measured from the end of a run. */
  Optional<Instant> slotAfterFinish() {
    if (runsLeft() == 0 || !outlook.planned.isEmpty()) {
      return Optional.empty();
    }
    boolean paused = outlook.next.isEmpty() && outlook.pauseFrom.isEmpty();
    boolean pausedBefore =
        outlook
            .next
            .filter(slot -> outlook.pauseFrom.filter(from -> !slot.isBefore(from)).isPresent())
            .isPresent();
    return paused || pausedBefore
        ? outlook.resumeAt.flatMap(end -> Planner.next(definition, end))
        : outlook.next;
  }
}
