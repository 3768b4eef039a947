package dev.carillon.store.jdbc;

import dev.carillon.model.Page;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Makes pages of lists. */
public final class Pages {
  private static final int MAX_SIZE = 500;
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

  private Pages() {}

  public static int checked(int limit) {
    if (limit < 1 || limit > MAX_SIZE) {
      throw new IllegalArgumentException(
          "a page has from 1 to " + MAX_SIZE + " items; was " + limit);
    }
    return limit;
  }

  /** Make the rest of the transaction read along indexes, where PostgreSQL would scan and sort. */
  public static void alongIndexes(Transaction tx) {
    tx.planEachCall(IDLE_TIMEOUT);
    tx.query("read along indexes", "select set_config('enable_sort', 'off', true)", row -> true);
  }

  /** Make a page of {@code found}, which is all that had a place in {@code room}. */
  public static <T> Page<T> of(
      List<T> found, PageRoom room, PageToken.Of list, Function<T, String> position) {
    return new Page<>(
        found,
        room.isFull()
            ? Optional.of(PageToken.at(list, position.apply(found.get(found.size() - 1))))
            : Optional.empty());
  }

  /** Make a page of {@code found}, which has one item more than the limit if there are more. */
  public static <T> Page<T> of(
      List<T> found, int limit, PageToken.Of list, Function<T, String> position) {
    if (found.size() <= limit) {
      return new Page<>(found, Optional.empty());
    }
    List<T> items = found.subList(0, limit);
    return new Page<>(items, Optional.of(PageToken.at(list, position.apply(items.get(limit - 1)))));
  }
}
