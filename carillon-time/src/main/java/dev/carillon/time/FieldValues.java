package dev.carillon.time;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The values of a cron field as a description groups them: all, a step, a range, or a list. */
final class FieldValues {
  private final List<Integer> values;
  private final int size;

  private FieldValues(List<Integer> values, int size) {
    this.values = values;
    this.size = size;
  }

  /** Read the set bits below {@code size}, the number of values of the field. */
  static FieldValues of(long bits, int size) {
    return new FieldValues(
        IntStream.range(0, size).filter(v -> (bits >>> v & 1) != 0).boxed().toList(), size);
  }

  List<Integer> values() {
    return values;
  }

  int first() {
    return values.get(0);
  }

  int last() {
    return values.get(values.size() - 1);
  }

  boolean all() {
    return values.size() == size;
  }

  boolean single() {
    return values.size() == 1;
  }

  /** Whether the values are at least three consecutive numbers. */
  boolean consecutive() {
    return values.size() > 2 && last() - first() == values.size() - 1;
  }

  /** The step between values that begin at 0 and continue to the end of the field, or 0. */
  int step() {
    if (values.size() < 2 || first() != 0) {
      return 0;
    }
    int step = values.get(1);
    boolean even =
        LongStream.range(0, values.size()).allMatch(i -> values.get((int) i) == i * step);
    return even && last() + step >= size ? step : 0;
  }

  /** Whether the step divides the field evenly, so that all intervals are equal. */
  boolean even() {
    return step() > 0 && size % step() == 0;
  }
}
