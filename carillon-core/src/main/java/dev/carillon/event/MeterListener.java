package dev.carillon.event;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Failure;
import java.time.Duration;
import java.util.Locale;

/**
 * Turns events into figures, tagged by target where there is one: never by schedule or run, of
 * which there may be millions.
 */
public final class MeterListener implements Listener {
  private final Meter meter;

  public MeterListener(Meter meter) {
    this.meter = meter;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Planned planned) {
      meter.count("carillon.run.planned", planned.runs());
      for (DroppedSlots droppedSlots : planned.dropped()) {
        meter.count(
            "carillon.slot.dropped", droppedSlots.slots(), "reason", word(droppedSlots.reason()));
      }
    } else if (event instanceof Event.Started started) {
      String target = started.run().target();
      meter.count("carillon.run.started", 1, "target", target);
      meter.time(
          "carillon.run.lateness",
          Duration.between(started.dueAt(), started.at()),
          "target",
          target);
    } else if (event instanceof Event.Accepted accepted) {
      meter.count("carillon.run.accepted", 1, "target", accepted.run().target());
    } else if (event instanceof Event.Finished finished) {
      finished(finished);
    } else if (event instanceof Event.Retrying retrying) {
      meter.count("carillon.run.retried", 1, "target", retrying.run().target());
    } else if (event instanceof Event.Fenced fenced) {
      meter.count("carillon.run.fenced", 1, "target", fenced.run().target());
    } else if (event instanceof Event.DeadlineMissed missed) {
      meter.count("carillon.deadline.missed", 1, "target", missed.run().target());
    } else if (event instanceof Event.Silent) {
      meter.count("carillon.schedule.silent", 1);
    } else if (event instanceof Event.PingDown) {
      meter.count("carillon.ping.down", 1);
    } else if (event instanceof Event.NodeLost lost) {
      meter.count("carillon.node.lost", 1);
      meter.count("carillon.run.recovered", lost.runs());
    } else if (event instanceof Event.Outage outage) {
      meter.count("carillon.outage", 1);
      meter.count("carillon.run.missed", outage.runs());
    } else if (event instanceof Event.ClockStepped) {
      meter.count("carillon.clock.step", 1);
    } else if (event instanceof Event.TurnFailed failed) {
      meter.count("carillon.turn.failed", 1, "step", failed.loop().threadName());
    }
  }

  private void finished(Event.Finished finished) {
    String target = finished.run().target();
    meter.count(
        "carillon.run.finished",
        1,
        "target",
        target,
        "state",
        word(finished.state()),
        "code",
        finished.failure().map(Failure::code).orElse("none"));
    finished
        .startedAt()
        .ifPresent(
            started ->
                meter.time(
                    "carillon.run.duration",
                    Duration.between(started, finished.at()),
                    "target",
                    target));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
