package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import java.util.EnumMap;
import java.util.Map;

/** Wakes loops before their rest is over; where a step has no loop, nothing happens. */
public final class Wakeups {
  private final Map<EngineLoop, Runnable> wakes = new EnumMap<>(EngineLoop.class);

  /** Call {@code wake} when {@code loop} has something to do. */
  void add(EngineLoop loop, Runnable wake) {
    wakes.put(loop, wake);
  }

  /** Wake {@code loop}. */
  public void wake(EngineLoop loop) {
    Runnable wake = wakes.get(loop);
    if (wake != null) {
      wake.run();
    }
  }

  /** Wake all loops. */
  void wakeAll() {
    wakes.values().forEach(Runnable::run);
  }

  /** Wake the loops that hand out runs: one is due, or its lane has become free. */
  public void wakeClaimers() {
    wake(EngineLoop.CLAIMING);
    wake(EngineLoop.PULLING);
  }
}
