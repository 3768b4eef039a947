package dev.carillon.engine;

import dev.carillon.Carillon;
import dev.carillon.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The program of a node of whose runs one takes all memory there is and keeps it for a while; it
 * writes a line for each run that is over.
 */
final class HungryNode {
  static final String LABEL = "hungry";
  private static final int[] SIZES = {1 << 20, 1 << 14, 1 << 8, 16};
  private static final List<byte[]> HOARD = new ArrayList<>(1 << 20);
  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final Semaphore FULL = new Semaphore(0);
  private static final Semaphore NEVER = new Semaphore(0);

  private HungryNode() {}

  /* Takes the address, user and password of the database, how long to keep the memory, and
   * which run takes it. */
  public static void main(String[] arguments) throws Exception {
    var source = new PGSimpleDataSource();
    source.setURL(arguments[0]);
    source.setUser(arguments[1]);
    source.setPassword(arguments[2]);
    long millis = Long.parseLong(arguments[3]);
    int at = Integer.parseInt(arguments[4]);
    var keeper = new Thread(() -> letGo(millis), "keeper");
    keeper.setDaemon(true);
    keeper.start();
    Carillon carillon =
        Carillon.builder()
            .dataSource(source)
            .migrate(false)
            .target(LABEL, context -> eat(at))
            .listener(HungryNode::tell)
            .build();
    carillon.start();
    while (System.in.read() >= 0) {}
    Runtime.getRuntime().halt(0);
  }

  private static void tell(Event event) {
    if (event instanceof Event.Finished finished) {
      System.out.println(finished.state() + " " + finished.run().id());
    }
  }

  private static void eat(int at) {
    if (CALLS.incrementAndGet() != at) {
      return;
    }
    OutOfMemoryError last = null;
    for (int size : SIZES) {
      try {
        while (HOARD.size() < 1 << 20) {
          HOARD.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        last = e;
      }
    }
    FULL.release();
    if (last == null) {
      throw new IllegalStateException("there is too much memory");
    }
    throw last;
  }

  /* Also if there is no memory to wait. */
  private static void letGo(long millis) {
    try {
      FULL.acquire();
      NEVER.tryAcquire(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      HOARD.clear();
    }
  }
}
