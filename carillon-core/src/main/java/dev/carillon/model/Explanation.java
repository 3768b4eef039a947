package dev.carillon.model;

import dev.carillon.time.Due;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why a schedule did, did not, or will or will not run at an instant.
 *
 * @param at the instant that was asked about
 * @param slot the slot that it is or was; another instant if a calendar says what time the slot
 *     stands for, and that was asked about
 * @param dueAt when the run of the slot may start, or might have
 * @param outcome what became of it, or will
 * @param run the run of the slot, if it has one that the caller may see
 * @param decision why it became no run, if that was decided
 * @param previous the last slot before the instant
 * @param next the first slot after the instant
 * @param moves what moved the due time of the slot, in order
 * @param dueThen slots whose runs are due at the instant, which is none, since they were moved
 * @param steps what led to the outcome, in the order in which a slot goes through it
 */
public record Explanation(
    Instant at,
    Optional<Instant> slot,
    Optional<Instant> dueAt,
    Outcome outcome,
    Optional<Run> run,
    Optional<Decision> decision,
    Optional<SlotOutcome> previous,
    Optional<SlotOutcome> next,
    List<Due.Move> moves,
    List<SlotOutcome> dueThen,
    List<Step> steps) {
  public Explanation {
    moves = List.copyOf(moves);
    dueThen = List.copyOf(dueThen);
    steps = List.copyOf(steps);
  }

  /** What became of an instant, or will. */
  public enum Outcome {
    /** Its run waits to start. */
    PENDING,
    /** Its run is at work. */
    RUNNING,
    /** Its run is done. */
    SUCCEEDED,
    /** Its run failed for good. */
    FAILED,
    /** Its run was canceled. */
    CANCELED,
    /** Its run did not start, by the rules of its schedule. */
    SKIPPED,
    /** It became no run. */
    DROPPED,
    /** It is to become a run, as things stand. */
    WILL_RUN,
    /** It is to become none, as things stand. */
    WILL_NOT_RUN,
    /** It is no slot; nothing is due then unless a slot was moved there. */
    NOT_DUE,
    /** It was a slot, and what is known about it has been deleted. */
    UNKNOWN;

    /** Return what {@code fate} is called here. */
    public static Outcome of(SlotOutcome.Fate fate) {
      return valueOf(fate.name());
    }
  }

  /**
   * One step of an explanation.
   *
   * @param what what it is about
   * @param because the step in words: one sentence
   * @param by who did it, or the node that did
   * @param at when
   */
  public record Step(What what, String because, Optional<String> by, Optional<Instant> at) {
    /** Say something that nobody did. */
    public static Step of(What what, String because) {
      return new Step(what, because, Optional.empty(), Optional.empty());
    }

    /** Say what was done, by whom and when. */
    public static Step of(What what, String because, ChangedBy changedBy) {
      return new Step(what, because, Optional.of(changedBy.by()), Optional.of(changedBy.at()));
    }
  }

  /** What a step is about. */
  public enum What {
    /** Which definition was in force, or that none was. */
    VERSION,
    /** What the timing names. */
    TIMING,
    /** What a clock change, such as daylight saving, did to it. */
    CLOCK_CHANGE,
    /** What a calendar did to it. */
    CALENDAR,
    /** What quiet hours did to it. */
    QUIET_HOURS,
    /** Whose run stands for it, as both are due at the same time. */
    MERGED,
    /** What the window of the schedule did to it. */
    WINDOW,
    /** By how much jitter moved it. */
    JITTER,
    /** Who paused the schedule, and who resumed it. */
    PAUSE,
    /** What catch-up did, since nothing ran it in time. */
    CATCH_UP,
    /** What the largest number of runs did to it. */
    MAX_RUNS,
    /** Which decision is recorded. */
    DECISION,
    /** What an unfinished run of the schedule did to it. */
    OVERLAP,
    /** An attempt that did not succeed. */
    ATTEMPT,
    /** What became of the run. */
    RUN,
    /** Who changed the schedule meanwhile. */
    CHANGE,
    /** What will happen, as things stand. */
    OUTLOOK,
    /** The slot before. */
    PREVIOUS,
    /** The slot after. */
    NEXT,
    /** What is no longer known. */
    RETENTION
  }

  /** Return the steps in words, one sentence in each line. */
  public String text() {
    return steps.stream().map(Step::because).collect(Collectors.joining("\n"));
  }
}
