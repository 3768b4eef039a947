package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches over loops: gives one that lost its thread another, and logs one that hangs. */
final class LoopSupervisor implements Step {
  private static final Logger LOG = LoggerFactory.getLogger("dev.carillon");
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Map<EngineLoop, Loop> loops = new EnumMap<>(EngineLoop.class);
  private final Map<EngineLoop, Duration> maxTurnOf = new EnumMap<>(EngineLoop.class);

  /* Loops that were logged. */
  private final Map<EngineLoop, Duration> hanging = new EnumMap<>(EngineLoop.class);

  /** Watch over {@code loop}, whose turns may take up to {@code most}. */
  void add(EngineLoop name, Loop loop, Duration most) {
    loops.put(name, loop);
    maxTurnOf.put(name, most);
  }

  @Override
  public Duration run(Instant now) {
    loops.forEach(this::look);
    return LOOK;
  }

  private void look(EngineLoop name, Loop loop) {
    loop.revive();
    Duration overdue = loop.overdue();
    if (hangs(name, overdue)) {
      if (hanging.put(name, overdue) == null) {
        var where = new Throwable("where it is");
        where.setStackTrace(loop.stackTrace());
        LOG.warn("loop {} has not turned for {} s", name.word(), overdue.toSeconds(), where);
      }
    } else {
      Duration longest = hanging.remove(name);
      if (longest != null) {
        LOG.info("loop {} turns again, after {} s", name.word(), longest.toSeconds());
      }
    }
  }

  private boolean hangs(EngineLoop name, Duration overdue) {
    return overdue.compareTo(maxTurnOf.getOrDefault(name, Duration.ZERO)) > 0;
  }

  /** Return a sentence about each loop that ended or hangs. */
  List<String> reasons() {
    var reasons = new ArrayList<String>();
    loops.forEach(
        (name, loop) -> {
          Duration overdue = loop.overdue();
          if (loop.isDead()) {
            reasons.add("loop %s has ended".formatted(name.word()));
          } else if (hangs(name, overdue)) {
            reasons.add(
                "loop %s has not turned for %s s".formatted(name.word(), overdue.toSeconds()));
          }
        });
    return reasons;
  }
}
