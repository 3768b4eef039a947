package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.model.Dropped;
import dev.carillon.model.Failure;
import dev.carillon.model.RunState;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes what happened to the log, each decision with its reason as key-value pairs: never a
 * payload.
 */
public final class LogListener implements Listener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.carillon");

  private final FailingTurns turns = new FailingTurns(System::nanoTime);

  @Override
  public void on(Event event) {
    if (event instanceof Event.Planned planned) {
      planned(planned);
    } else if (event instanceof Event.Started started) {
      about(LOG.atDebug(), started.run())
          .addKeyValue("attempt", started.attempt())
          .addKeyValue("dueAt", started.dueAt())
          .log("run started");
    } else if (event instanceof Event.Accepted accepted) {
      about(LOG.atDebug(), accepted.run())
          .addKeyValue("attempt", accepted.attempt())
          .addKeyValue("externalId", accepted.externalId().orElse("-"))
          .log("run was accepted elsewhere and goes on there");
    } else if (event instanceof Event.Finished finished) {
      finished(finished);
    } else if (event instanceof Event.Retrying retrying) {
      about(LOG.atInfo(), retrying.run())
          .addKeyValue("attempt", retrying.attempt())
          .addKeyValue("nextAt", retrying.nextAt())
          .addKeyValue("code", retrying.failure().code())
          .log("run failed and will be tried again");
    } else if (event instanceof Event.Fenced fenced) {
      about(LOG.atWarn(), fenced.run())
          .addKeyValue("attempt", fenced.attempt())
          .log("run ended here after another node had taken it over; nothing was changed");
    } else if (event instanceof Event.TurnFailed failed) {
      turnFailed(failed);
    } else if (event instanceof Event.Turned turned) {
      turned(turned);
    } else {
      cluster(event);
    }
  }

  private static void planned(Event.Planned planned) {
    LOG.atDebug()
        .addKeyValue("schedule", planned.schedule())
        .addKeyValue("runs", planned.runs())
        .log("planned");
    for (Dropped dropped : planned.dropped()) {
      LOG.atInfo()
          .addKeyValue("schedule", planned.schedule())
          .addKeyValue("reason", word(dropped.reason()))
          .addKeyValue("slots", dropped.slots())
          .addKeyValue("first", dropped.first())
          .addKeyValue("last", dropped.last())
          .log("slots do not run");
    }
  }

  private static void finished(Event.Finished finished) {
    LoggingEventBuilder line =
        finished.state() == RunState.FAILED
            ? LOG.atWarn()
            : finished.state() == RunState.SUCCEEDED ? LOG.atDebug() : LOG.atInfo();
    about(line, finished.run())
        .addKeyValue("state", word(finished.state()))
        .addKeyValue("attempt", finished.attempt())
        .addKeyValue("code", finished.failure().map(Failure::code).orElse("-"))
        .addKeyValue("reason", finished.reason().orElse("-"))
        .log("run is over");
  }

  private static void cluster(Event event) {
    if (event instanceof Event.NodeJoined joined) {
      LOG.atInfo()
          .addKeyValue("node", joined.node())
          .addKeyValue("epoch", joined.epoch())
          .log("node joined");
    } else if (event instanceof Event.NodeLost lost) {
      LOG.atWarn()
          .addKeyValue("node", lost.node())
          .addKeyValue("epoch", lost.epoch())
          .addKeyValue("runs", lost.runs())
          .log("node lost; its runs are recovered");
    } else if (event instanceof Event.Outage outage) {
      LOG.atWarn()
          .addKeyValue("runs", outage.runs())
          .addKeyValue("skipped", outage.skipped())
          .log("no node was alive; catch-up decided about planned runs that were missed");
    } else if (event instanceof Event.Changed changed) {
      LOG.atInfo()
          .addKeyValue("schedule", changed.schedule())
          .addKeyValue("action", changed.action())
          .addKeyValue("actor", changed.actor())
          .addKeyValue("reason", changed.reason().orElse(""))
          .log("schedule changed");
    } else if (event instanceof Event.Leading leading) {
      LOG.atInfo()
          .addKeyValue("duty", leading.duty())
          .addKeyValue("holds", leading.holds())
          .log("duty changed hands");
    }
  }

  private void turnFailed(Event.TurnFailed failed) {
    turns
        .failed(failed.step())
        .ifPresent(
            untold ->
                LOG.atWarn()
                    .addKeyValue("step", failed.step())
                    .addKeyValue("problem", failed.problem())
                    .addKeyValue("untold", untold)
                    .log("a turn failed; trying again"));
  }

  private void turned(Event.Turned turned) {
    turns
        .turned(turned.step())
        .ifPresent(
            over ->
                LOG.atInfo()
                    .addKeyValue("seconds", over.lasted().toSeconds())
                    .addKeyValue("failed", over.failed())
                    .log("turns do not fail any more"));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static LoggingEventBuilder about(LoggingEventBuilder line, Event.RunRef run) {
    return line.addKeyValue("run", run.id())
        .addKeyValue("schedule", run.schedule().orElse("-"))
        .addKeyValue("target", run.target());
  }
}
