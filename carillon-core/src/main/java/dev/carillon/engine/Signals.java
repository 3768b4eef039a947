package dev.carillon.engine;

import dev.carillon.store.Announcements;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Wakes loops when another node announces something sooner than they know. Only ever a shortcut:
 * every loop looks by itself every poll, or every few of them.
 */
final class Signals implements Step, AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final Duration REST_WITHOUT = Duration.ofSeconds(30);

  private final Announcements announcements;
  private final Map<String, Runnable> wakes;

  Signals(Announcements announcements, Map<String, Runnable> wakes) {
    this.announcements = announcements;
    this.wakes = Map.copyOf(wakes);
  }

  @Override
  public Duration run(Instant now) {
    if (!announcements.listening()) {
      return REST_WITHOUT;
    }
    announcements.await(WAIT).forEach(what -> wakes.getOrDefault(what, () -> {}).run());
    return Duration.ZERO;
  }

  @Override
  public void close() {
    announcements.close();
  }
}
