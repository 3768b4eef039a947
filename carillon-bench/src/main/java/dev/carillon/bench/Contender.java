package dev.carillon.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;

/** A scheduler under measurement, on a database of its own. */
public interface Contender extends AutoCloseable {

  /** Create the tables in an empty database. */
  void install();

  /**
   * Add schedules whose first slot is about a year away.
   *
   * @param added receives how many there are so far, from a contender that adds them in parts
   */
  void addIdle(int count, IntConsumer added);

  /**
   * Add one-time runs, numbered from 0, that are due already.
   *
   * @param added receives how many there are so far, from a contender that adds them in parts
   */
  void addDue(int count, IntConsumer added);

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
   * Remove what {@link #addEverySecond} added, if it would disturb what is measured next. A
   * contender that gets a fresh database each time need not.
   */
  default void removeEverySecond(int count, Instant first) {}

  /**
   * Start to execute; the handler of every run calls {@code startListener} and does nothing else.
   */
  void start(StartListener startListener);

  /** Return how many one-time runs have no committed end yet. */
  long unfinished();

  @Override
  void close();
}
