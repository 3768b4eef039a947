package dev.carillon.benchmarks.measure;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The most memory this process has needed so far. */
final class PeakMemory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private final AtomicLong afterCollection = new AtomicLong();
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toUnmodifiableSet());

  PeakMemory() {
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(
            (notification, unused) -> {
              if (notification.getUserData() instanceof CompositeData data) {
                afterCollection.accumulateAndGet(used(data), Math::max);
              }
            },
            null,
            null);
      }
    }
  }

  private long used(CompositeData data) {
    return GarbageCollectionNotificationInfo.from(data)
        .getGcInfo()
        .getMemoryUsageAfterGc()
        .entrySet()
        .stream()
        .filter(pool -> heapPools.contains(pool.getKey()))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }

  /** Return the most bytes of heap that were in use after a collection, even a small one. */
  long heapBytes() {
    return afterCollection.get();
  }

  /**
   * Return the most bytes of real memory the process had; 0 where the system does not report it.
   */
  static long residentBytes() throws IOException {
    if (!Files.isReadable(STATUS)) {
      return 0;
    }
    try (var lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
