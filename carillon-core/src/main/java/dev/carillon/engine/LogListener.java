package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.OutageCause;
import dev.carillon.store.jdbc.StoreException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes what happened to the log, each decision with its reason: never a payload. */
public final class LogListener implements Listener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.carillon");

  private static final String FRAME = "\n\tat ";
  private static final Set<String> OURS = Set.of("timeout", "interrupted", "node_lost");

  private final TurnFailureLog turns = new TurnFailureLog(System::nanoTime);

  @Override
  public void on(Event event) {
    if (event instanceof Event.Planned planned) {
      planned(planned);
    } else if (event instanceof Event.Started started) {
      about(LOG.atDebug(), "run started", started.run())
          .with("attempt", started.attempt())
          .with("dueAt", started.dueAt())
          .log();
    } else if (event instanceof Event.Accepted accepted) {
      about(LOG.atDebug(), "run was accepted elsewhere and goes on there", accepted.run())
          .with("attempt", accepted.attempt())
          .with("externalId", accepted.externalId())
          .log();
    } else if (event instanceof Event.Finished finished) {
      finished(finished);
    } else if (event instanceof Event.Retrying retrying) {
      about(LOG.atInfo(), "run failed and will be tried again", retrying.run())
          .with("attempt", retrying.attempt())
          .with("nextAt", retrying.nextAt())
          .with("code", retrying.failure().code())
          .with("problem", problem(retrying.failure()))
          .log();
    } else if (event instanceof Event.DeadlineMissed missed) {
      about(LOG.atWarn(), "run was not finished by its deadline; it is escalated", missed.run())
          .with("state", word(missed.state()))
          .with("deadline", missed.deadline())
          .with("escalateTo", missed.escalation().target())
          .with("escalation", missed.escalation().id())
          .log();
    } else if (event instanceof Event.Fenced fenced) {
      about(
              LOG.atWarn(),
              "run ended here after another node had taken it over; nothing was changed",
              fenced.run())
          .with("attempt", fenced.attempt())
          .log();
    } else if (event instanceof Event.TurnFailed failed) {
      turnFailed(failed);
    } else if (event instanceof Event.Turned turned) {
      turned(turned);
    } else {
      cluster(event);
    }
  }

  private static void planned(Event.Planned planned) {
    new LogLine(LOG.atDebug(), "planned")
        .with("schedule", planned.schedule())
        .with("runs", planned.runs())
        .log();
    for (DroppedSlots droppedSlots : planned.dropped()) {
      new LogLine(LOG.atInfo(), "slots do not run")
          .with("schedule", planned.schedule())
          .with("reason", word(droppedSlots.reason()))
          .with("slots", droppedSlots.slots())
          .with("first", droppedSlots.first())
          .with("last", droppedSlots.last())
          .log();
    }
  }

  private static void finished(Event.Finished finished) {
    if (finished.state() == RunState.FAILED) {
      failed(finished);
    } else {
      ended(
              finished.state() == RunState.SUCCEEDED ? LOG.atDebug() : LOG.atInfo(),
              "run is over",
              finished)
          .with("reason", finished.reason().map(EndReason::text))
          .log();
    }
  }

  private static LogLine ended(LoggingEventBuilder line, String what, Event.Finished finished) {
    return about(line, what, finished.run())
        .with("state", word(finished.state()))
        .with("attempt", finished.attempt());
  }

  private static void failed(Event.Finished finished) {
    LogLine line =
        ended(LOG.atWarn(), "run failed", finished)
            .with("code", finished.failure().map(Failure::code).orElse("-"))
            .with("problem", finished.failure().flatMap(LogListener::problem));
    Optional<String> trace = finished.failure().flatMap(LogListener::trace);
    if (trace.isPresent()) {
      line.log(trace.get().stripTrailing());
    } else {
      line.log();
    }
  }

  /* What code threw, or we said ourselves. What another side answered is not for the log: it may
   * contain payloads, and addresses may have secrets in them. */
  private static Optional<String> problem(Failure failure) {
    return trace(failure).isPresent() || OURS.contains(failure.code())
        ? Optional.of(failure.message())
        : Optional.empty();
  }

  private static Optional<String> trace(Failure failure) {
    return failure.details().filter(text -> text.contains(FRAME));
  }

  private static void cluster(Event event) {
    if (event instanceof Event.NodeJoined joined) {
      new LogLine(LOG.atInfo(), "node joined")
          .with("node", joined.node())
          .with("epoch", joined.epoch())
          .log();
    } else if (event instanceof Event.NodeLost lost) {
      new LogLine(LOG.atWarn(), "node lost; its runs are recovered")
          .with("node", lost.node())
          .with("epoch", lost.epoch())
          .with("runs", lost.runs())
          .log();
    } else if (event instanceof Event.Outage outage) { // also the restart of the only node
      new LogLine(
              LOG.atInfo(),
              "no node was alive; catch-up decided about planned runs that were missed")
          .with("runs", outage.runs())
          .with("skipped", outage.skipped())
          .log();
    } else if (event instanceof Event.ClockStepped stepped) {
      new LogLine(
              LOG.atWarn(),
              "the database's clock was set; leases go by the time that passed, due times by the new clock")
          .with("seconds", stepped.by().toMillis() / 1e3)
          .with("at", stepped.at())
          .log();
    } else if (event instanceof Event.Changed changed) {
      new LogLine(LOG.atInfo(), "schedule changed")
          .with("schedule", changed.schedule())
          .with("action", changed.action())
          .with("actor", changed.actor())
          .with("reason", changed.reason())
          .log();
    } else if (event instanceof Event.Silent silent) {
      new LogLine(LOG.atWarn(), "schedule has not succeeded for as long as it is expected to")
          .with("schedule", silent.schedule())
          .with("since", silent.since())
          .with("escalation", silent.escalation().map(Event.RunRef::id))
          .log();
    } else if (event instanceof Event.SilenceEnded ended) {
      new LogLine(LOG.atInfo(), "schedule is no longer silent")
          .with("schedule", ended.schedule())
          .log();
    } else if (event instanceof Event.PingDown down) {
      new LogLine(LOG.atWarn(), "work that pings failed or did not succeed in time")
          .with("ping", down.ping())
          .with("since", down.since())
          .with("escalation", down.escalation().map(Event.RunRef::id))
          .log();
    } else if (event instanceof Event.PingUp up) {
      new LogLine(LOG.atInfo(), "work that pings is no longer down").with("ping", up.ping()).log();
    } else if (event instanceof Event.Leading leading) {
      new LogLine(LOG.atInfo(), "duty changed hands")
          .with("duty", leading.duty())
          .with("holds", leading.holds())
          .log();
    }
  }

  private void turnFailed(Event.TurnFailed failed) {
    Optional<Throwable> unexpected = failed.cause().filter(ThrowableText::isUnexpected);
    OptionalLong line =
        unexpected.isPresent()
            ? turns.failedUnexpectedly(failed.loop())
            : turns.failed(failed.loop(), failed.cause().flatMap(LogListener::outage));
    line.ifPresent(
        leftOut ->
            new LogLine(LOG.atWarn(), "a turn failed; trying again")
                .with("step", failed.loop().threadName())
                .with("problem", failed.problem())
                .with("untold", leftOut)
                .causedBy(unexpected)
                .log());
  }

  private static Optional<OutageCause> outage(Throwable cause) {
    return cause instanceof StoreException store ? store.outage() : Optional.empty();
  }

  private void turned(Event.Turned turned) {
    turns
        .turned(turned.loop())
        .ifPresent(
            over ->
                new LogLine(LOG.atInfo(), "turns do not fail any more")
                    .with("seconds", over.lasted().toSeconds())
                    .with("failed", over.failed())
                    .log());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static LogLine about(LoggingEventBuilder line, String what, Event.RunRef run) {
    return new LogLine(line, what)
        .with("run", run.id())
        .with("schedule", run.schedule().orElse("-"))
        .with("target", run.target());
  }
}
