package dev.carillon.event;

import java.time.Duration;

/** Where figures go: three lines of code pass them on to Micrometer or any other library. */
public interface Meter {
  /** Add {@code by} to the counter called {@code name}; tags are names and values in turn. */
  void count(String name, long by, String... tags);

  /** Record how long something took. */
  void time(String name, Duration took, String... tags);
}
