package dev.carillon.benchmarks.measure;

import dev.carillon.benchmarks.contender.Entrant;
import java.time.Duration;

/**
 * One thing to do in a process of its own.
 *
 * @param count how many jobs, schedules or idle schedules there are
 * @param seconds how long to measure, for what has no end of its own
 */
public record Trial(Task task, Entrant entrant, int count, int seconds) {
  enum Task {
    /** Create the tables and add idle schedules. */
    PREPARE,
    DRAIN,
    DRIFT,
    HERD,
    CLUSTER_DRAIN,
    CLUSTER_FIRE,
    IDLE,
    /** Add runs that are due. */
    ADD,
    COLD_START,
    /** Write finished runs into the history. */
    FILL,
    /** Ask what a console asks. */
    ASK,
    /** Drop a partition of the history while schedules fire. */
    DROP,
    SOAK
  }

  /** For how long schedules fire before it counts. */
  static final Duration DRIFT_WARM_UP = Duration.ofSeconds(20);

  static Trial prepare(Entrant entrant, int idle) {
    return new Trial(Task.PREPARE, entrant, idle, 0);
  }

  public static Trial drain(Entrant entrant, int jobs) {
    return new Trial(Task.DRAIN, entrant, jobs, 0);
  }

  public static Trial drift(Entrant entrant, int schedules, int seconds) {
    return new Trial(Task.DRIFT, entrant, schedules, seconds);
  }

  public static Trial herd(Entrant entrant, int schedules) {
    return new Trial(Task.HERD, entrant, schedules, 0);
  }

  public static Trial clusterDrain(Entrant entrant, int jobs) {
    return new Trial(Task.CLUSTER_DRAIN, entrant, jobs, 0);
  }

  public static Trial clusterFire(Entrant entrant, int schedules, int seconds) {
    return new Trial(Task.CLUSTER_FIRE, entrant, schedules, seconds);
  }

  public static Trial idle(Entrant entrant, int seconds) {
    return new Trial(Task.IDLE, entrant, 0, seconds);
  }

  public static Trial add(Entrant entrant, int jobs) {
    return new Trial(Task.ADD, entrant, jobs, 0);
  }

  public static Trial coldStart(Entrant entrant, int added) {
    return new Trial(Task.COLD_START, entrant, added, 0);
  }

  public static Trial fill(Entrant entrant, int runs) {
    return new Trial(Task.FILL, entrant, runs, 0);
  }

  public static Trial ask(Entrant entrant, int calls) {
    return new Trial(Task.ASK, entrant, calls, 0);
  }

  public static Trial drop(Entrant entrant, int schedules, int seconds) {
    return new Trial(Task.DROP, entrant, schedules, seconds);
  }

  public static Trial soak(Entrant entrant, int schedules, int seconds) {
    return new Trial(Task.SOAK, entrant, schedules, seconds);
  }
}
