package dev.carillon;

import dev.carillon.model.SlotOutcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Fires in the order of their slots, read side by side and only as far as need be. */
final class FireMerge {
  private final Iterator<SlotOutcome> source;
  private @Nullable SlotOutcome next;

  private FireMerge(Stream<SlotOutcome> source) {
    this.source = source.iterator();
    step();
  }

  private void step() {
    next = source.hasNext() ? source.next() : null;
  }

  private boolean isBefore(FireMerge other) {
    SlotOutcome mine = next;
    SlotOutcome theirs = other.next;
    return mine != null && (theirs == null || mine.slot().isBefore(theirs.slot()));
  }

  private SlotOutcome take() {
    SlotOutcome taken = next;
    if (taken == null) {
      throw new NoSuchElementException();
    }
    step();
    return taken;
  }

  /** Return the fires of both, a slot that both have once. */
  static Stream<SlotOutcome> of(Stream<SlotOutcome> one, Stream<SlotOutcome> other) {
    var left = new FireMerge(one);
    var right = new FireMerge(other);
    Iterator<SlotOutcome> both =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return left.next != null || right.next != null;
          }

          @Override
          public SlotOutcome next() {
            if (right.isBefore(left)) {
              return right.take();
            }
            if (!left.isBefore(right)) {
              right.step();
            }
            return left.take();
          }
        };
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(both, Spliterator.ORDERED), false);
  }

  /**
   * Fires that one of two sequences has and the other has not.
   *
   * @param gained those that only the second has
   * @param lost those that only the first has
   */
  record Difference(List<SlotOutcome> gained, List<SlotOutcome> lost) {}

  /** Compare two sequences until {@code most} were found on both sides, or looked at enough. */
  static Difference difference(
      Stream<SlotOutcome> before, Stream<SlotOutcome> after, int most, int enough) {
    var left = new FireMerge(before);
    var right = new FireMerge(after);
    var gained = new ArrayList<SlotOutcome>();
    var lost = new ArrayList<SlotOutcome>();
    for (int looked = 0; looked < enough; looked++) {
      if (left.isBefore(right)) {
        addUpTo(most, lost, left.take());
      } else if (right.isBefore(left)) {
        addUpTo(most, gained, right.take());
      } else if (left.next == null) {
        break;
      } else {
        left.step();
        right.step();
      }
      if (gained.size() == most && lost.size() == most) {
        break;
      }
    }
    return new Difference(gained, lost);
  }

  private static void addUpTo(int most, List<SlotOutcome> fires, SlotOutcome slotOutcome) {
    if (fires.size() < most) {
      fires.add(slotOutcome);
    }
  }
}
