package dev.carillon;

import dev.carillon.model.MovedFire;
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
   * @param moved those that both have, due at another time
   */
  record Difference(List<SlotOutcome> gained, List<SlotOutcome> lost, List<MovedFire> moved) {
    static final Difference NONE = new Difference(List.of(), List.of(), List.of());
  }

  /** Compare two sequences until {@code most} of each were found, or looked at enough. */
  static Difference difference(
      Stream<SlotOutcome> before, Stream<SlotOutcome> after, int most, int enough) {
    var left = new FireMerge(before);
    var right = new FireMerge(after);
    var gained = new ArrayList<SlotOutcome>();
    var lost = new ArrayList<SlotOutcome>();
    var moved = new ArrayList<MovedFire>();
    for (int looked = 0; looked < enough; looked++) {
      if (left.isBefore(right)) {
        addUpTo(most, lost, left.take());
      } else if (right.isBefore(left)) {
        addUpTo(most, gained, right.take());
      } else if (left.next == null) {
        break;
      } else {
        MovedFire both = MovedFire.of(left.take(), right.take());
        if (both.isMoved()) {
          addUpTo(most, moved, both);
        }
      }
      if (gained.size() == most && lost.size() == most && moved.size() == most) {
        break;
      }
    }
    return new Difference(gained, lost, moved);
  }

  private static <T> void addUpTo(int most, List<T> fires, T fire) {
    if (fires.size() < most) {
      fires.add(fire);
    }
  }
}
