package dev.carillon.plan;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Streams one after the other, read element by element. A flatMap inside of another reads an inner
 * stream to its end before it hands out the first element, and those of slots may go on for ages.
 */
final class Chained<T> extends Spliterators.AbstractSpliterator<T> {
  private final Iterator<Stream<T>> rest;
  private Spliterator<T> current = Spliterators.emptySpliterator();

  private Chained(List<Stream<T>> parts) {
    super(Long.MAX_VALUE, Spliterator.ORDERED);
    rest = parts.iterator();
  }

  static <T> Stream<T> of(List<Stream<T>> parts) {
    return StreamSupport.stream(new Chained<>(parts), false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    while (!current.tryAdvance(action)) {
      if (!rest.hasNext()) {
        return false;
      }
      current = rest.next().spliterator();
    }
    return true;
  }
}
