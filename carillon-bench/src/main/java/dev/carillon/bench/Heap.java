package dev.carillon.bench;

import java.lang.management.ManagementFactory;

/** What a process holds on to. */
public final class Heap {
  private Heap() {}

  /** Return the bytes still in use after a full collection. */
  public static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
