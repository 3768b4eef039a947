package dev.carillon.simulation;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.store.calendar.RuleBook;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;

/**
 * What the store says at one moment.
 *
 * @param schedules all schedules
 * @param runs all runs, live and finished
 * @param decisions all slots that became no run
 * @param lanes the holders of lanes that are held
 * @param rules calendars and quiet hours
 */
record Books(
    List<Kept> schedules,
    List<Logged> runs,
    List<Decided> decisions,
    Map<Long, RunId> lanes,
    RuleBook rules) {

  /**
   * A schedule.
   *
   * @param id its number
   * @param key its name
   * @param status active, paused or retired
   * @param pausedUntil when it resumes by itself
   * @param pauseFrom when it pauses by itself
   * @param plannedThrough how far it is planned
   * @param nextSlot what is planned next
   * @param planBy by when
   * @param versions its definitions by number
   * @param changes what happened to it, oldest first
   * @param failures how many runs failed in a row
   */
  record Kept(
      long id,
      String key,
      String status,
      Optional<Instant> pausedUntil,
      Optional<Instant> pauseFrom,
      Instant plannedThrough,
      Optional<Instant> nextSlot,
      Optional<Instant> planBy,
      SortedMap<Integer, Definition> versions,
      List<Change> changes,
      int failures) {

    Definition current() {
      return version(versions.lastKey());
    }

    Definition version(int number) {
      Definition definition = versions.get(number);
      if (definition == null) {
        throw new IllegalStateException("schedule '" + key + "' has no version " + number);
      }
      return definition;
    }
  }

  /**
   * A line of the audit.
   *
   * @param at when
   * @param action what
   * @param details what else it says
   */
  record Change(Instant at, String action, Map<String, ?> details) {
    Optional<String> detail(String name) {
      return Optional.ofNullable(details.get(name)).map(Object::toString);
    }
  }

  /**
   * A run.
   *
   * @param live whether it is unfinished
   * @param wakeAt when it may be claimed, if it waits for that
   * @param tries its earlier attempts
   * @param asked whether somebody asked for it, or for it to be run again
   * @param escalates the id of the run whose deadline was missed, if it says so
   */
  record Logged(
      RunId id,
      boolean live,
      int version,
      String trigger,
      Instant dueAt,
      Optional<Instant> wakeAt,
      String state,
      int attempt,
      boolean exclusive,
      Optional<UUID> node,
      Optional<Instant> startedAt,
      Optional<Instant> finishedAt,
      Optional<String> failureCode,
      Optional<String> reason,
      Optional<String> sequel,
      List<Try> tries,
      boolean asked,
      Optional<String> escalates) {

    boolean ofSlot() {
      return trigger.equals("scheduled");
    }

    /** Tell whether catch-up left it out: it was planned, and no node was alive when it was due. */
    boolean leftOut() {
      return state.equals("skipped") && reason.filter(why -> why.startsWith("missed:")).isPresent();
    }

    @Override
    public String toString() {
      return "run %s/%s/%s (%s, v%s, attempt %s)"
          .formatted(id.schedule(), id.slot(), id.ordinal(), state, version, attempt);
    }
  }

  /**
   * An earlier attempt of a run.
   *
   * @param number which
   * @param finishedAt when the store took it for over
   * @param code why it failed
   */
  record Try(int number, Instant finishedAt, String code) {}

  /** Slots that became no run. */
  record Decided(
      long schedule,
      Instant first,
      Instant last,
      long slots,
      String reason,
      int version,
      Instant decidedAt,
      Optional<Instant> mergedInto) {
    boolean covers(Instant slot) {
      return !slot.isBefore(first) && !slot.isAfter(last);
    }
  }

  List<Logged> runsOf(long schedule) {
    return runs.stream().filter(run -> run.id().schedule() == schedule).toList();
  }

  List<Decided> decisionsOf(long schedule) {
    return decisions.stream().filter(one -> one.schedule() == schedule).toList();
  }
}
