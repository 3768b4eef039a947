package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Metrics;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what ended on this node, in all and in each of the last sixty minutes. */
public final class RunEndCounters implements Listener {
  private static final int MINUTES = 60;

  /* All guarded by this. */
  private final @Nullable Minute[] minutes = new @Nullable Minute[MINUTES];
  private long succeeded;
  private long failed;
  private long missed;
  private long recovered;
  private long recoveryEvents;

  private static final class Minute {
    private final long number;
    private long runs;
    private long failed;
    private long nanos;

    Minute(long number) {
      this.number = number;
    }
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Finished finished) {
      finished(finished);
    } else if (event instanceof Event.Planned planned) {
      planned.dropped().forEach(this::dropped);
    } else if (event instanceof Event.NodeLost lost) {
      lost(lost.runs());
    }
  }

  private synchronized void finished(Event.Finished run) {
    boolean failure = run.state() == RunState.FAILED;
    if (!failure && run.state() != RunState.SUCCEEDED) {
      return;
    }
    succeeded += failure ? 0 : 1;
    failed += failure ? 1 : 0;
    Minute minute = minute(number(run.at()));
    minute.runs++;
    minute.failed += failure ? 1 : 0;
    minute.nanos +=
        run.startedAt().map(from -> Duration.between(from, run.at()).toNanos()).orElse(0L);
  }

  private synchronized void dropped(DroppedSlots droppedSlots) {
    missed += droppedSlots.reason() == DroppedSlots.Reason.MISSED ? droppedSlots.slots() : 0;
  }

  private synchronized void lost(int runs) {
    recoveryEvents++;
    recovered += runs;
  }

  private static long number(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), 60);
  }

  private Minute minute(long number) {
    int place = Math.floorMod(number, MINUTES);
    Minute known = minutes[place];
    if (known == null || known.number != number) {
      known = new Minute(number);
      minutes[place] = known;
    }
    return known;
  }

  /** Return the figures at {@code now}, with those of {@code schedules} by status. */
  public synchronized Metrics at(Instant now, Map<String, Long> schedules) {
    long oldest = number(now) - MINUTES + 1;
    long runs = 0;
    long failures = 0;
    long nanos = 0;
    for (Minute minute : minutes) {
      if (minute != null && minute.number >= oldest) {
        runs += minute.runs;
        failures += minute.failed;
        nanos += minute.nanos;
      }
    }
    long active = schedules.getOrDefault("active", 0L);
    return new Metrics(
        active + schedules.getOrDefault("paused", 0L),
        active,
        succeeded,
        failed,
        missed,
        recovered,
        recoveryEvents,
        (double) runs / MINUTES,
        Duration.ofNanos(runs == 0 ? 0 : nanos / runs),
        runs == 0 ? 0 : (double) failures / runs);
  }
}
