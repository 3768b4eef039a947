package dev.carillon.event;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Something that happened and is durable. */
public sealed interface Event {

  /** Return when it happened, by the database's clock. */
  Instant at();

  /**
   * Slots of a schedule became runs, or were dropped.
   *
   * @param schedule the key
   * @param runs how many runs were planned
   * @param dropped what became no run, and why
   */
  record Planned(Instant at, String schedule, int runs, List<DroppedSlots> dropped)
      implements Event {}

  /** A run was claimed and is handed to its target. */
  record Started(Instant at, RunRef run, Instant dueAt, int attempt) implements Event {}

  /**
   * A run is over.
   *
   * @param state how
   * @param dueAt when it was due
   * @param startedAt when its last attempt began; empty if it never did
   * @param attempt how many attempts it took
   * @param failure why it failed
   * @param reason why it was canceled or skipped
   */
  record Finished(
      Instant at,
      RunRef run,
      RunState state,
      Instant dueAt,
      Optional<Instant> startedAt,
      int attempt,
      Optional<Failure> failure,
      Optional<EndReason> reason)
      implements Event {}

  /**
   * The run goes on elsewhere, from where its end will be reported.
   *
   * @param attempt which attempt
   * @param externalId what they call it, if they said so
   */
  record Accepted(Instant at, RunRef run, int attempt, Optional<String> externalId)
      implements Event {}

  /** An attempt failed and the run will be tried again. */
  record Retrying(Instant at, RunRef run, int attempt, Instant nextAt, Failure failure)
      implements Event {}

  /**
   * A run was not finished by its deadline, and another run says so.
   *
   * @param state how it was when that was noticed
   * @param deadline by when it had to be finished
   * @param escalation the run that says so
   */
  record DeadlineMissed(Instant at, RunRef run, RunState state, Instant deadline, RunRef escalation)
      implements Event {}

  /**
   * A schedule has not succeeded for as long as it is expected to.
   *
   * @param schedule the key
   * @param since its last success, or when it was stored or resumed if that is later
   * @param escalation the run that says so, if one was asked for
   */
  record Silent(Instant at, String schedule, Instant since, Optional<RunRef> escalation)
      implements Event {}

  /** A schedule that was silent succeeded, was changed or was paused. */
  record SilenceEnded(Instant at, String schedule) implements Event {}

  /**
   * Work elsewhere pinged that it failed, or did not ping in time.
   *
   * @param ping the key of its check
   * @param since its last success, or when the check was defined if that is later
   * @param escalation the run that says so, if one was asked for
   */
  record PingDown(Instant at, String ping, Instant since, Optional<RunRef> escalation)
      implements Event {}

  /** Work elsewhere that was down succeeded, or is expected otherwise. */
  record PingUp(Instant at, String ping) implements Event {}

  /** A node lost its lease, and its runs were given to their recovery. */
  record NodeLost(Instant at, UUID node, long epoch, int runs) implements Event {}

  /** This node joined the cluster, or joined again after its lease was lost. */
  record NodeJoined(Instant at, UUID node, long epoch) implements Event {}

  /**
   * No node was alive for a while, and the slots of that time were given to catch-up.
   *
   * @param runs how many runs had been planned and were missed
   * @param skipped how many of them catch-up left out; the others start
   */
  record Outage(Instant at, int runs, int skipped) implements Event {}

  /**
   * The database's clock was set, as this node noticed: by hand, by a time server, or because
   * another machine took over.
   *
   * @param at when it was noticed, by the clock as it was set
   * @param by how far: forward, or back if negative
   */
  record ClockStepped(Instant at, Duration by) implements Event {}

  /** An attempt ended after its node had lost the run, and changed nothing. */
  record Fenced(Instant at, RunRef run, int attempt) implements Event {}

  /**
   * A schedule was created, changed, paused, resumed or retired.
   *
   * @param action such as {@code schedule.paused}
   * @param actor who did it
   * @param reason why, if they said so
   */
  record Changed(Instant at, String schedule, String action, String actor, Optional<String> reason)
      implements Event {}

  /** This node began or ceased to hold a duty that one node should have. */
  record Leading(Instant at, String duty, boolean holds) implements Event {}

  /** A turn of a loop is over: a batch was planned, claimed, recorded, or there was none. */
  record Turned(Instant at, EngineLoop loop, Duration took) implements Event {}

  /**
   * A turn of a loop failed; it goes on.
   *
   * @param problem what went wrong, in one line
   * @param cause what was thrown, if anything was
   */
  record TurnFailed(Instant at, EngineLoop loop, String problem, Optional<Throwable> cause)
      implements Event {}

  /**
   * The run an event is about.
   *
   * @param id its identity
   * @param schedule the key of its schedule; empty for an ad-hoc run
   * @param target its label
   */
  record RunRef(RunId id, Optional<String> schedule, String target) {}
}
