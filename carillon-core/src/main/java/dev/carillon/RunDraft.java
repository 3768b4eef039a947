package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.Payload;
import dev.carillon.policy.Deadline;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.policy.WorkingDuration;
import dev.carillon.store.run.RunStore.AdHoc;
import dev.carillon.store.run.RunStore.AdHocDeadline;
import dev.carillon.template.RunPayload;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import dev.carillon.time.business.WorkingTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Work to be done once, without a schedule: now, at an instant, or after a delay. */
public final class RunDraft {
  private static final String ESCALATE_TO = "deadline/escalateTo";

  private final String target;
  private Payload payload = Payload.EMPTY;
  private Optional<Instant> at = Optional.empty();
  private Delay delay = Delay.NONE;
  private RunPolicy policy = RunPolicy.DEFAULT;
  private boolean atMostOnce;
  private Optional<String> delayCalendar = Optional.empty();
  private Optional<String> correlation = Optional.empty();
  private Optional<String> overlapKey = Optional.empty();
  private Optional<String> requestId = Optional.empty();
  private Optional<Deadline> deadline = Optional.empty();
  private Optional<AdHocDeadline> fixedDeadline = Optional.empty();

  private RunDraft(String target) {
    this.target = target;
  }

  private RunDraft with(Consumer<RunDraft> change) {
    var copy = new RunDraft(target);
    copy.payload = payload;
    copy.at = at;
    copy.delay = delay;
    copy.delayCalendar = delayCalendar;
    copy.policy = policy;
    copy.atMostOnce = atMostOnce;
    copy.correlation = correlation;
    copy.overlapKey = overlapKey;
    copy.requestId = requestId;
    copy.deadline = deadline;
    copy.fixedDeadline = fixedDeadline;
    change.accept(copy);
    return copy;
  }

  /** Run {@code target} as soon as possible. */
  public static RunDraft of(String target) {
    return new RunDraft(ScheduleLimits.target(target));
  }

  /** Give it this to work on. */
  public RunDraft payload(Payload payload) {
    return with(draft -> draft.payload = payload);
  }

  /** Give it this to work on. */
  public RunDraft payload(Map<String, ?> content) {
    return payload(Payload.of(content));
  }

  /** Give it one named value to work on. */
  public RunDraft payload(String name, Object value) {
    return payload(Payload.of(name, value));
  }

  /**
   * Fill in the placeholders of the payload for each attempt, such as <code>
   * ${slot-1d:yyyy-MM-dd}</code>, with dates in UTC.
   */
  public RunDraft template() {
    return template(ZoneOffset.UTC);
  }

  /** Fill in the placeholders of the payload for each attempt, with dates in {@code zone}. */
  public RunDraft template(ZoneId zone) {
    return policy(policy.template(zone.getId()));
  }

  /** Start it at {@code instant}, or at once if that has passed. */
  public RunDraft at(Instant instant) {
    Instant start = FieldLimits.instant("at", instant);
    return in(Delay.NONE).with(draft -> draft.at = Optional.of(start));
  }

  /** Start it {@code delay} from when it is enqueued. */
  public RunDraft in(Duration delay) {
    return in(Delay.of(delay));
  }

  /**
   * Start it {@code delay} from when it is enqueued: years, months and days by the calendar of
   * {@code zone}.
   */
  public RunDraft in(PeriodDuration delay, ZoneId zone) {
    return in(new Delay(delay, zone));
  }

  private RunDraft in(Delay delay) {
    return with(
        draft -> {
          draft.at = Optional.empty();
          draft.delay = delay;
          draft.delayCalendar = Optional.empty();
        });
  }

  /**
   * Start it when {@code delay} of the working time of the calendar called {@code calendar} has
   * passed since it is enqueued.
   */
  public RunDraft in(Duration delay, String calendar) {
    FieldLimits.calendar(calendar);
    return in(delay).with(draft -> draft.delayCalendar = Optional.of(calendar));
  }

  /** Find and cancel it by this word, which others may share. */
  public RunDraft correlation(String word) {
    ScheduleLimits.correlation(word);
    return with(draft -> draft.correlation = Optional.of(word));
  }

  /**
   * Never run it beside another with the same key: they go one after the other, with up to ten
   * thousand waiting; beyond that it is skipped.
   */
  public RunDraft overlapKey(String key) {
    FieldLimits.name("an overlap key", key);
    return with(draft -> draft.overlapKey = Optional.of(key));
  }

  /**
   * Enqueue it unless something was enqueued under this id, in which case that is the run: so a
   * request that is sent twice has the effect of one. Ids are remembered for thirty days or longer.
   */
  public RunDraft requestId(String id) {
    FieldLimits.name("a request id", id);
    return with(draft -> draft.requestId = Optional.of(id));
  }

  /** Try it again when it fails. */
  public RunDraft retry(Retry retry) {
    refuseRetries(atMostOnce, retry);
    return policy(policy.retry(retry));
  }

  /** Treat it as {@code recovery} says if its node dies. */
  public RunDraft recovery(Recovery recovery) {
    if (atMostOnce && recovery != Recovery.FAIL) {
      throw new InvalidValueException(
          "work that is done at most once is not run again; leave out atMostOnce() or"
              + " recovery(RESUBMIT)");
    }
    return policy(policy.recovery(recovery));
  }

  /** Never start it twice: if its node dies, it has failed. */
  public RunDraft atMostOnce() {
    refuseRetries(true, policy.retry());
    return recovery(Recovery.FAIL).with(draft -> draft.atMostOnce = true);
  }

  private static void refuseRetries(boolean atMostOnce, Retry retry) {
    if (atMostOnce && retry.attempts() > 1) {
      throw new InvalidValueException(
          "work that is done at most once has no retries; leave out one of the two");
    }
  }

  /** Stop an attempt that takes longer. */
  public RunDraft timeout(Duration timeout) {
    return policy(policy.timeout(timeout));
  }

  /** Stop an attempt that takes longer, in the working time of the calendar {@code calendar}. */
  public RunDraft timeout(Duration timeout, String calendar) {
    return policy(policy.timeout(timeout).timeoutCalendar(FieldLimits.calendar(calendar)));
  }

  static void checkTimeout(RunPolicy policy) {
    if (policy.timeoutCalendar().isPresent() && policy.timeout().isEmpty()) {
      throw new InvalidValueException(
          "timeoutCalendar",
          "a calendar counts the working time of timeout, which is missing; set timeout, or leave it out");
    }
  }

  /** Run another target once if it is not finished a while after it is due. */
  public RunDraft deadline(Deadline deadline) {
    FieldLimits.deadline(deadline);
    if (deadline.at().isPresent()) {
      throw new InvalidValueException(
          "a time of day is a deadline for schedules, which have a zone; give a run"
              + " deadline(Instant, …), or Deadline.after(…)");
    }
    return with(
        draft -> {
          draft.deadline = Optional.of(deadline);
          draft.fixedDeadline = Optional.empty();
        });
  }

  /** Run {@code escalateTo} once if it is not finished at {@code instant}. */
  public RunDraft deadline(Instant instant, String escalateTo) {
    var fixed =
        new AdHocDeadline(
            FieldLimits.instant("a deadline", instant),
            FieldLimits.name("the target to escalate to", escalateTo));
    return with(
        draft -> {
          draft.deadline = Optional.empty();
          draft.fixedDeadline = Optional.of(fixed);
        });
  }

  /** Say what it is for, to people. */
  public RunDraft description(String description) {
    return policy(policy.describedAs(FieldLimits.description(description)));
  }

  private RunDraft policy(RunPolicy policy) {
    return with(draft -> draft.policy = policy);
  }

  /* A run that is enqueued after its slot is due at once. */
  AdHoc enqueuedAt(Instant now, KnownTargets targets, RunCalendars calendars) {
    policy.workingDurations().forEach(duration -> calendars.of(duration, now));
    Instant slot = at.orElseGet(() -> start(now, calendars));
    Instant dueAt = slot.isBefore(now) ? now : slot;
    RunPayload.check(payload, policy, slot, dueAt);
    return new AdHoc(
        targets.known(target),
        payload,
        slot,
        dueAt,
        policy,
        correlation,
        overlapKey,
        requestId,
        deadline(dueAt, targets, calendars));
  }

  private Instant start(Instant now, RunCalendars calendars) {
    if (delayCalendar.isEmpty()) {
      return delay.after(now);
    }
    Duration working = delay.amount().fixed();
    var counted = new WorkingDuration("calendar", delayCalendar.get(), working);
    return WorkingTime.plus(calendars.of(counted, now), now, working);
  }

  private Optional<AdHocDeadline> deadline(
      Instant dueAt, KnownTargets targets, RunCalendars calendars) {
    Optional<AdHocDeadline> by =
        deadline
            .map(
                relative ->
                    new AdHocDeadline(after(relative, dueAt, calendars), relative.escalateTo()))
            .or(() -> fixedDeadline);
    by.ifPresent(one -> targets.require("the deadline has the", ESCALATE_TO, one.escalateTo()));
    // a request that is repeated after its deadline has the effect of the first
    by.filter(one -> requestId.isEmpty() && !one.at().isAfter(dueAt))
        .ifPresent(
            one -> {
              throw new InvalidValueException(
                  "deadline/at",
                  "a deadline is after the run is due, at %s; was %s; choose a later one"
                      .formatted(dueAt, one.at()));
            });
    return by;
  }

  private static Instant after(Deadline relative, Instant dueAt, RunCalendars calendars) {
    Duration after = relative.after().orElseThrow();
    try {
      return FieldLimits.instant(
          "a deadline",
          relative
              .calendar()
              .map(name -> new WorkingDuration("deadline/calendar", name, after))
              .map(counted -> WorkingTime.plus(calendars.of(counted, dueAt), dueAt, after))
              .orElseGet(() -> dueAt.plus(after)));
    } catch (InvalidValueException e) {
      throw new InvalidValueException(
          e.field().orElse("deadline/after"), String.valueOf(e.getMessage()));
    }
  }
}
