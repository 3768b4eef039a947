package dev.carillon.store.jdbc;

import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The room of one page: a number of items, and {@value #MAX_BYTES} bytes of JSON. The first item
 * fits whatever its size, so that every page goes on.
 */
public final class PageRoom {
  /** The most bytes of a page. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  /* What a page has besides its items, and an item besides its texts: names, times and numbers. */
  private static final int BYTES_OF_PAGE = 4 * 1024;
  private static final int BYTES_OF_ITEM = 2 * 1024;

  /* Even if all are as large as can be, these rows are no more than a page. */
  private static final int ROWS_AT_ONCE = 10;

  /* What the pages that this thread reads may have. */
  private static final ThreadLocal<Long> LIMIT = ThreadLocal.withInitial(() -> Long.MAX_VALUE);

  private final long limit = LIMIT.get();
  private final int fetchSize;
  private int items;
  private long bytes;
  private long taken;
  private boolean used;
  private boolean full;

  private PageRoom(int items, long bytes, int fetchSize) {
    this.items = items;
    this.bytes = bytes;
    this.fetchSize = fetchSize;
  }

  /** Make room for up to {@code items} items. */
  public static PageRoom of(int items) {
    return new PageRoom(items, MAX_BYTES - BYTES_OF_PAGE, ROWS_AT_ONCE);
  }

  /** Make room for up to {@code items} items of any size. */
  public static PageRoom ofAnySize(int items) {
    return new PageRoom(items, Long.MAX_VALUE, 0);
  }

  /**
   * Do {@code work}, whose pages have no more than {@code limit} bytes.
   *
   * @throws PageLimitException if one has more; nothing of it is kept, and all may be done again
   */
  public static <T> T within(long limit, Supplier<T> work) {
    LIMIT.set(limit);
    try {
      return work.get();
    } finally {
      LIMIT.remove();
    }
  }

  /**
   * Take an item whose texts have so many bytes of JSON; return whether it still fits.
   *
   * @throws PageLimitException if it fits, but the page is to have less than it needs
   */
  public boolean take(long textBytes) {
    boolean fits = takes(textBytes);
    if (taken > limit) {
      throw new PageLimitException(limit);
    }
    return fits;
  }

  private boolean takes(long textBytes) {
    long size = textBytes + BYTES_OF_ITEM;
    full = full || items == 0 || (used && size > bytes);
    if (full) {
      return false;
    }
    used = true;
    items--;
    bytes -= size;
    taken += size;
    return true;
  }

  /** Tell whether there was an item that did not fit any more. */
  public boolean isFull() {
    return full;
  }

  /**
   * Run a statement and return its first rows, as many as there is room for. The rows are fetched
   * some at a time, so no more of them than the page are ever in memory.
   */
  public <T> List<T> read(
      Transaction tx, String name, String sql, Consumer<Bind> binder, Function<Row, T> toValue) {
    tx.flush(); // what is sent together with others has all its rows fetched at once
    return tx.run(
        BoundStatement.of(name, sql, binder).fetching(fetchSize),
        result -> {
          var values = new ArrayList<T>();
          try (ResultSet rows = result.getResultSet()) {
            while (rows.next()) {
              Row row = Row.measured(name, rows);
              T value = toValue.apply(row);
              if (!take(row.jsonBytes())) {
                break;
              }
              values.add(value);
            }
          }
          return values;
        });
  }
}
