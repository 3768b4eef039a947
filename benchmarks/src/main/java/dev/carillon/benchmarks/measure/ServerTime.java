package dev.carillon.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** The processor time of a PostgreSQL on this machine: all of its processes, also ended ones. */
record ServerTime(ProcessHandle postmaster) {
  /* Clock ticks of /proc: 100 per second on every Linux, whatever its kernel counts in. */
  private static final long TICK_MILLIS = 10;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int USER_OF_ENDED = 13;
  private static final int SYSTEM_OF_ENDED = 14;

  static ServerTime of(Database database) {
    String child = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
    return ProcessHandle.of((long) database.sql().number(child))
        .flatMap(ProcessHandle::parent)
        .map(ServerTime::new)
        .orElseThrow(
            () -> new IllegalStateException("PostgreSQL has to be on this machine; is it?"));
  }

  /** Return the time used so far. */
  Duration used() {
    // Children first: one that ends in between is then counted twice rather than never.
    long children =
        postmaster.children().mapToLong(child -> ticks(child.pid(), USER, SYSTEM)).sum();
    long own = ticks(postmaster.pid(), USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED);
    return Duration.ofMillis((children + own) * TICK_MILLIS);
  }

  private static long ticks(long pid, int... fields) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] values = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int field : fields) {
        ticks += Long.parseLong(values[field]);
      }
      return ticks;
    } catch (NoSuchFileException ended) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
