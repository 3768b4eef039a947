package dev.carillon.time.business;

import java.time.Instant;
import java.util.Optional;

/** Slots that are numbered in the order of time; some numbers may have none. */
interface OrderedSlots {
  /** No slot has this number. */
  long NONE = Long.MIN_VALUE;

  /** Return how many numbers there are, from 0. */
  int size();

  /** Return the epoch second of the slot with this number, or {@link #NONE}. */
  long slot(int number);

  /**
   * Return a number from 0 to {@link #size()} such that the slots of smaller ones are at or before
   * {@code second}, at most a few below the first that is after it.
   */
  int numberNear(long second);

  /** Return the first slot after {@code after}. */
  default Optional<Instant> next(Instant after) {
    long second = after.getEpochSecond();
    for (int number = numberNear(second); number < size(); number++) {
      long slot = slot(number);
      if (slot != NONE && slot > second) {
        return Optional.of(Instant.ofEpochSecond(slot));
      }
    }
    return Optional.empty();
  }

  /** Return the last slot before {@code before}. */
  default Optional<Instant> previous(Instant before) {
    long second = before.getEpochSecond() - (before.getNano() == 0 ? 1 : 0);
    for (int number = firstAfter(second) - 1; number >= 0; number--) {
      long slot = slot(number);
      if (slot != NONE) {
        return Optional.of(Instant.ofEpochSecond(slot));
      }
    }
    return Optional.empty();
  }

  /** Return the first number whose slot is after {@code second}; the size if there is none. */
  default int firstAfter(long second) {
    int number = numberNear(second);
    while (number < size() && slot(number) <= second) { // NONE is as if before
      number++;
    }
    return number;
  }
}
