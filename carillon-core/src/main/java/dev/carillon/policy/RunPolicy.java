package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run takes with it from its definition, so that it can be judged without looking it up.
 *
 * @param retry how often it is tried
 * @param recovery what happens when its node dies
 * @param timeout how long an attempt may take; empty for as long as it likes
 * @param pauseAfterFailures after how many failures in a row its schedule is paused; zero for never
 * @param attemptsBefore attempts before it was run again, which no longer count
 * @param description what it is for, in words, if it has no schedule to say so; else blank
 * @param template the id of the zone of dates in its payload, if that is a template
 * @param timeoutCalendar the calendar whose working time the timeout counts; empty for time as it
 *     passes
 */
public record RunPolicy(
    Retry retry,
    Recovery recovery,
    Optional<Duration> timeout,
    int pauseAfterFailures,
    int attemptsBefore,
    String description,
    Optional<String> template,
    Optional<String> timeoutCalendar) {
  /** One attempt, however long; run again if its node dies; never a pause. */
  public static final RunPolicy DEFAULT =
      new RunPolicy(Retry.NONE, Recovery.RESUBMIT, Optional.empty(), 0);

  /** The longest timeout accepted. */
  public static final Duration MAX_TIMEOUT = Duration.ofDays(365);

  /** Describe a run that was not run again. */
  public RunPolicy(
      Retry retry, Recovery recovery, Optional<Duration> timeout, int pauseAfterFailures) {
    this(retry, recovery, timeout, pauseAfterFailures, 0, "", Optional.empty(), Optional.empty());
  }

  public RunPolicy {
    if (timeout.isPresent()
        && (timeout.get().compareTo(Duration.ofMillis(1)) < 0
            || timeout.get().compareTo(MAX_TIMEOUT) > 0)) {
      throw new InvalidValueException("timeout must be from 1 ms to 365d; was " + timeout.get());
    }
    if (pauseAfterFailures < 0) {
      throw new InvalidValueException(
          "failures before a pause must be at least 1, or 0 for never; was " + pauseAfterFailures);
    }
    if (attemptsBefore < 0) {
      throw new IllegalArgumentException("attempts cannot be fewer than 0; was " + attemptsBefore);
    }
  }

  /** Return the durations that it counts in working time. */
  public List<WorkingDuration> workingDurations() {
    var found = new ArrayList<WorkingDuration>();
    timeoutCalendar.ifPresent(
        name ->
            found.add(new WorkingDuration("timeoutCalendar", name, timeout.orElse(Duration.ZERO))));
    retry
        .calendar()
        .ifPresent(
            name -> found.add(new WorkingDuration("retry/calendar", name, retry.maxBackoff())));
    return found;
  }

  /** Return the same with {@code retry}. */
  public RunPolicy retry(Retry retry) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        timeoutCalendar);
  }

  /** Return the same with {@code recovery}. */
  public RunPolicy recovery(Recovery recovery) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        timeoutCalendar);
  }

  /** Return the same for attempts that take at most {@code timeout}. */
  public RunPolicy timeout(Duration timeout) {
    return new RunPolicy(
        retry,
        recovery,
        Optional.of(timeout),
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        timeoutCalendar);
  }

  /** Return the same, counting the timeout in the working time of {@code calendar}. */
  public RunPolicy timeoutCalendar(String calendar) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        Optional.of(calendar));
  }

  /** Return the same for attempts that take as long as they like. */
  public RunPolicy noTimeout() {
    return new RunPolicy(
        retry,
        recovery,
        Optional.empty(),
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        timeoutCalendar);
  }

  /** Return the same with a pause after {@code failures}; zero for never. */
  public RunPolicy pauseAfterFailures(int failures) {
    return new RunPolicy(
        retry, recovery, timeout, failures, attemptsBefore, description, template, timeoutCalendar);
  }

  /** Return the same for a run that is run again after {@code attempts}. */
  public RunPolicy renewedAfter(int attempts) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attempts,
        description,
        template,
        timeoutCalendar);
  }

  /** Return the same with what the run is for. */
  public RunPolicy describedAs(String description) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attemptsBefore,
        description,
        template,
        timeoutCalendar);
  }

  /**
   * Return the same for a payload that is a template with dates in the zone called {@code zone}.
   */
  public RunPolicy template(String zone) {
    return template(Optional.of(zone));
  }

  /** Return the same for a payload that is taken as it is. */
  public RunPolicy noTemplate() {
    return template(Optional.empty());
  }

  private RunPolicy template(Optional<String> zone) {
    return new RunPolicy(
        retry,
        recovery,
        timeout,
        pauseAfterFailures,
        attemptsBefore,
        description,
        zone,
        timeoutCalendar);
  }
}
