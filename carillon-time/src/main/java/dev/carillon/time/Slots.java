package dev.carillon.time;

import java.time.Instant;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The slots of a timing in the range {@code (after, through]}, computed lazily. */
public final class Slots implements Iterable<Instant> {
  private final Timing timing;
  private final Instant after;
  private final Instant through;

  Slots(Timing timing, Instant after, Instant through) {
    this.timing = timing;
    this.after = after;
    this.through = through;
  }

  /** Count the slots without iterating. */
  public long count() {
    return timing.count(after, through);
  }

  /** Return the slots as a lazy stream, oldest first. */
  public Stream<Instant> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public Iterator<Instant> iterator() {
    return new Iterator<>() {
      private Optional<Instant> upcoming = within(timing.next(after));

      @Override
      public boolean hasNext() {
        return upcoming.isPresent();
      }

      @Override
      public Instant next() {
        Instant slot = upcoming.orElseThrow(NoSuchElementException::new);
        upcoming = within(timing.next(slot));
        return slot;
      }
    };
  }

  private Optional<Instant> within(Optional<Instant> slot) {
    return slot.filter(instant -> !instant.isAfter(through));
  }

  @Override
  public String toString() {
    return timing + " in (" + after + ", " + through + "]";
  }
}
