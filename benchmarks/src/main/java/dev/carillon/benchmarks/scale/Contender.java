package dev.carillon.benchmarks.scale;

import java.time.Duration;
import java.time.Instant;

/** A scheduler under measurement, on a database of its own. */
interface Contender extends AutoCloseable {

  /** Create the tables in an empty database. */
  void install();

  /** Add schedules whose first slot is about a year away. */
  void addIdle(int count);

  /** Add one-time runs, numbered from 0, that are due already. */
  void addDue(int count);

  /** The shortest time between two slots of a schedule, of those that are whole seconds. */
  default Duration period() {
    return Duration.ofSeconds(1);
  }

  /**
   * Add schedules, numbered from 0, with a slot at {@code first} and every {@link #period} after.
   *
   * @param first a multiple of the period, counted from the epoch
   */
  void addEverySecond(int count, Instant first);

  /**
   * Remove what {@link #addEverySecond} added, if it would disturb what is measured next; those who
   * get a fresh database each time need not.
   */
  default void removeEverySecond(int count, Instant first) {}

  /** Start to execute; the handler of every run rings {@code bell} and does nothing else. */
  void start(Bell bell);

  /** Say whether the end of every one-time run is committed. */
  boolean drained();

  /** Stop to execute. */
  @Override
  void close();
}
