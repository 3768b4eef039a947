package dev.carillon.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A part of a list, and where the next one begins.
 *
 * <p>A page may be short, or even empty, and still have a next one: looking for what is rare stops
 * after a while. Without a next one, the list is at its end.
 *
 * @param items what is on it
 * @param next what to ask for to get the next page
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
  }

  /** Return a page with {@code change} applied to what is on it. */
  public <R> Page<R> map(Function<? super T, ? extends R> change) {
    return new Page<>(items.stream().<R>map(change).toList(), next);
  }
}
