package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Announcements;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;

/**
 * Wakes loops when another node announces something sooner than they know. Only ever a shortcut:
 * every loop looks by itself every poll, or every few of them.
 */
final class WakeUpSignals implements Step, AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final Duration REST_WITHOUT = Duration.ofSeconds(30);

  private final Announcements announcements;
  private final Wakeups wakeups;
  private boolean heardAll;

  WakeUpSignals(Announcements announcements, Wakeups wakeups) {
    this.announcements = announcements;
    this.wakeups = wakeups;
  }

  @Override
  public Duration run(Instant now) {
    if (!announcements.listening()) {
      return REST_WITHOUT;
    }
    if (!heardAll) { // what was announced before
      EnumSet.allOf(Announcement.class).forEach(this::wake);
    }
    heardAll = false; // unless the connection lasts
    announcements.await(WAIT).forEach(this::wake);
    heardAll = true;
    return Duration.ZERO;
  }

  private void wake(Announcement announcement) {
    switch (announcement) {
      case RUN -> wakeups.wakeClaimers();
      case PLAN -> wakeups.wake(EngineLoop.PLANNING);
      case STOP -> wakeups.wake(EngineLoop.HEARTBEAT);
    }
  }

  @Override
  public void close() {
    announcements.close();
  }
}
