package dev.carillon.server.web;

import dev.carillon.store.jdbc.PageLimitException;
import dev.carillon.store.jdbc.PageRoom;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The memory that replies take while they are made and until their clients have read them, in
 * shares of an eighth of the heap. Pages are made within the first share, replies about one thing
 * within the first two; a reply that would take more than three is given up. So neither many large
 * replies nor slow readers leave the scheduler without memory, and slow readers of pages do not
 * keep others from changing things.
 */
final class ReplyMemory {
  /** What a page takes at most while it is made: its rows, their texts, and both as JSON. */
  static final long PAGE_BYTES = 8L * 1024 * 1024;

  /** What the JSON of a small page has at most: 500 items without payloads in most lists. */
  static final long SMALL_PAGE_JSON_BYTES = 1536L * 1024;

  /** What a small page takes while it is made, with the rows that are read ahead of it. */
  static final long SMALL_PAGE_BYTES = 2 * SMALL_PAGE_JSON_BYTES + 256L * 1024;

  /** What a reply about one thing takes while it is made. */
  static final long ITEM_BYTES = 512L * 1024;

  /** Replies up to this size are never given up: connections bound their number. */
  static final long SMALL_BYTES = 64L * 1024;

  private static final int SHARES_OF_HEAP = 8;
  private static final long MIN_SHARE = 2 * PAGE_BYTES;
  private static final int MAX_WAITING = 16;
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private final long share;

  /* Guarded by this. */
  private long taken;
  private int waiting;

  ReplyMemory(long heap) {
    share = Math.max(MIN_SHARE, heap / SHARES_OF_HEAP);
  }

  /** Return the memory of this process. */
  static ReplyMemory ofThisProcess() {
    return new ReplyMemory(Runtime.getRuntime().maxMemory());
  }

  /**
   * Make a page that is small, as soon as there is memory for it. If it turns out not to be, it is
   * given up and made as any page.
   *
   * @param work may be done twice
   */
  <T> T makingSmallPage(Supplier<T> work) {
    try {
      return making(SMALL_PAGE_BYTES, share, () -> PageRoom.within(SMALL_PAGE_JSON_BYTES, work));
    } catch (PageLimitException larger) {
      return makingPage(work);
    }
  }

  /** Make a page as soon as there is memory for it; refuse it if that takes too long. */
  <T> T makingPage(Supplier<T> work) {
    return making(PAGE_BYTES, share, work);
  }

  /** Make a reply about one thing as soon as there is memory for it, as a page. */
  <T> T makingItem(Supplier<T> work) {
    return making(ITEM_BYTES, 2 * share, work);
  }

  /**
   * Make a reply that was not known at once if there is memory for it now, as for one about one
   * thing. It does not wait, since others wait behind it.
   */
  <T> T makingLater(Supplier<T> work) {
    synchronized (this) {
      if (taken + ITEM_BYTES > 2 * share) {
        throw exhausted().problemException();
      }
      taken += ITEM_BYTES;
    }
    return making(ITEM_BYTES, work);
  }

  private <T> T making(long bytes, long most, Supplier<T> work) {
    await(bytes, most);
    return making(bytes, work);
  }

  private <T> T making(long bytes, Supplier<T> work) {
    try {
      return work.get();
    } finally {
      free(bytes);
    }
  }

  private synchronized void await(long bytes, long most) {
    long end = System.nanoTime() + MAX_WAIT.toNanos();
    waiting++;
    try {
      while (taken + bytes > most) {
        long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0 || waiting > MAX_WAITING) {
          throw exhausted().problemException();
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw exhausted().problemException();
    } finally {
      waiting--;
    }
    taken += bytes;
  }

  /** Take the memory of a reply that is made; return false if it must not be written. */
  synchronized boolean take(long bytes) {
    if (bytes > SMALL_BYTES && taken + bytes > 3 * share) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** Take the memory of a reply that must be written: its request has changed something. */
  synchronized void takeAnyway(long bytes) {
    taken += bytes;
  }

  synchronized void free(long bytes) {
    taken -= bytes;
    notifyAll();
  }

  synchronized long taken() {
    return taken;
  }

  static Problem exhausted() {
    return Problem.of(
            ProblemKind.UNAVAILABLE,
            "Clients have not read so many large replies yet that there is no memory for this one;"
                + " try again, or ask for smaller pages.")
        .header("Retry-After", "1");
  }
}
