package dev.carillon.benchmarks.scale;

import java.lang.management.ManagementFactory;

/** What a process holds on to. */
final class Heap {
  private Heap() {}

  /** Return the bytes still in use after a full collection. */
  static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
