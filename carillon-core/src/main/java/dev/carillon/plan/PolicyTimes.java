package dev.carillon.plan;

import dev.carillon.model.Run;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.WorkingTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * What durations that a run counts in working time are in time as it passes, from a moment on. If
 * the calendar is gone, they are taken as they are. Pure.
 */
public final class PolicyTimes {
  private PolicyTimes() {}

  /**
   * Return a run with the timeout of its attempt that starts by {@code now}, or that has started.
   */
  public static Run starting(
      Run run, Function<String, Optional<BusinessCalendar>> calendars, Instant now) {
    RunPolicy policy = run.policy();
    if (policy.timeout().isEmpty() || policy.timeoutCalendar().isEmpty()) {
      return run;
    }
    Instant start = run.startedAt().orElse(Instants.later(now, run.dueAt()));
    return policy
        .timeoutCalendar()
        .flatMap(calendars)
        .map(it -> passing(it, start, policy.timeout().get(), RunPolicy.MAX_TIMEOUT))
        .map(timeout -> run.withPolicy(policy.timeout(timeout)))
        .orElse(run);
  }

  /** Return a run with the pause that follows if its attempt fails at {@code now}. */
  public static Run failing(
      Run run, Function<String, Optional<BusinessCalendar>> calendars, Instant now) {
    Retry retry = run.policy().retry();
    Optional<Duration> pause =
        retry.calendar().isEmpty() ? Optional.empty() : retry.delayAfter(Verdict.counted(run));
    return pause
        .flatMap(
            delay ->
                retry
                    .calendar()
                    .flatMap(calendars)
                    .map(it -> passing(it, now, delay, Retry.MAX_BACKOFF)))
        .map(delay -> run.withPolicy(run.policy().retry(retry.pausing(delay))))
        .orElse(run);
  }

  private static Duration passing(
      BusinessCalendar calendar, Instant from, Duration working, Duration longest) {
    return Duration.between(from, WorkingTime.plus(calendar, from, working, longest));
  }
}
