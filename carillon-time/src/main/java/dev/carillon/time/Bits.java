package dev.carillon.time;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The values of a field as people see them: all, a step, a run, or a list. */
final class Bits {
  private final List<Integer> values;
  private final int size;

  private Bits(List<Integer> values, int size) {
    this.values = values;
    this.size = size;
  }

  /** Read the set bits below {@code size}, which is how many values the field has. */
  static Bits of(long bits, int size) {
    return new Bits(
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

  /** Whether the values follow one another without a hole, three of them at least. */
  boolean run() {
    return values.size() > 2 && last() - first() == values.size() - 1;
  }

  /** The distance of values that begin at 0 and keep it to the end of the field, or 0. */
  int step() {
    if (values.size() < 2 || first() != 0) {
      return 0;
    }
    int step = values.get(1);
    boolean even =
        LongStream.range(0, values.size()).allMatch(i -> values.get((int) i) == i * step);
    return even && last() + step >= size ? step : 0;
  }

  /** Whether the step comes out even at the end of the field, so that its beat never changes. */
  boolean steady() {
    return step() > 0 && size % step() == 0;
  }
}
