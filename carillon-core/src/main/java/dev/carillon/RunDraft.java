package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.Payload;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** Work to be done once, without a schedule: now, at an instant, or after a delay. */
public final class RunDraft {
  private final String target;
  private final Payload payload;
  private final Optional<Instant> at;
  private final Delay delay;
  private final Trying trying;
  private final Names names;

  /* Words by which it is found, kept from others, and known again. */
  private record Names(
      Optional<String> correlation, Optional<String> overlapKey, Optional<String> requestId) {
    static final Names NONE = new Names(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /* How it is tried and recovered, and whether somebody insists that it starts once. */
  private record Trying(RunPolicy policy, boolean atMostOnce) {
    static final Trying USUAL = new Trying(RunPolicy.DEFAULT, false);
  }

  private RunDraft(
      String target,
      Payload payload,
      Optional<Instant> at,
      Delay delay,
      Trying trying,
      Names names) {
    this.target = target;
    this.payload = payload;
    this.at = at;
    this.delay = delay;
    this.trying = trying;
    this.names = names;
  }

  /** Run {@code target} as soon as possible. */
  public static RunDraft of(String target) {
    return new RunDraft(
        Bounds.target(target),
        Payload.EMPTY,
        Optional.empty(),
        Delay.NONE,
        Trying.USUAL,
        Names.NONE);
  }

  /** Give it this to work on. */
  public RunDraft payload(Payload payload) {
    return new RunDraft(target, payload, at, delay, trying, names);
  }

  /** Give it this to work on. */
  public RunDraft payload(Map<String, ?> content) {
    return payload(Payload.of(content));
  }

  /** Give it one named value to work on. */
  public RunDraft payload(String name, Object value) {
    return payload(Payload.of(name, value));
  }

  /** Start it at {@code instant}, or at once if that has passed. */
  public RunDraft at(Instant instant) {
    return new RunDraft(
        target,
        payload,
        Optional.of(FieldLimits.instant("at", instant)),
        Delay.NONE,
        trying,
        names);
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
    return new RunDraft(target, payload, Optional.empty(), delay, trying, names);
  }

  /** Find and cancel it by this word, which others may share. */
  public RunDraft correlation(String word) {
    return names(
        new Names(Optional.of(Bounds.correlation(word)), names.overlapKey, names.requestId));
  }

  /**
   * Never run it beside another with the same key: they go one after the other, with up to ten
   * thousand waiting; beyond that it is skipped.
   */
  public RunDraft overlapKey(String key) {
    return names(
        new Names(names.correlation, Optional.of(Bounds.overlapKey(key)), names.requestId));
  }

  /**
   * Enqueue it unless something was enqueued under this id, in which case that is the run: so a
   * request that is sent twice has the effect of one. Ids are remembered for thirty days or longer.
   */
  public RunDraft requestId(String id) {
    return names(new Names(names.correlation, names.overlapKey, Optional.of(Bounds.requestId(id))));
  }

  private RunDraft names(Names names) {
    return new RunDraft(target, payload, at, delay, trying, names);
  }

  /** Try it again when it fails. */
  public RunDraft retry(Retry retry) {
    refuseRetries(trying.atMostOnce, retry);
    return policy(policy().retry(retry));
  }

  /** Treat it as {@code recovery} says if its node dies. */
  public RunDraft recovery(Recovery recovery) {
    if (trying.atMostOnce && recovery != Recovery.FAIL) {
      throw new InvalidValueException(
          "work that is done at most once is not run again; leave out atMostOnce() or"
              + " recovery(RESUBMIT)");
    }
    return policy(policy().recovery(recovery));
  }

  /** Never start it twice: if its node dies, it has failed. */
  public RunDraft atMostOnce() {
    refuseRetries(true, policy().retry());
    return trying(new Trying(recovery(Recovery.FAIL).policy(), true));
  }

  private static void refuseRetries(boolean atMostOnce, Retry retry) {
    if (atMostOnce && retry.attempts() > 1) {
      throw new InvalidValueException(
          "work that is done at most once has no retries; leave out one of the two");
    }
  }

  /** Stop an attempt that takes longer. */
  public RunDraft timeout(Duration timeout) {
    return policy(policy().timeout(timeout));
  }

  /** Say what it is for, to people. */
  public RunDraft description(String description) {
    return policy(policy().describedAs(FieldLimits.description(description)));
  }

  private RunDraft policy(RunPolicy policy) {
    return trying(new Trying(policy, trying.atMostOnce));
  }

  private RunDraft trying(Trying trying) {
    return new RunDraft(target, payload, at, delay, trying, names);
  }

  String target() {
    return target;
  }

  Payload payload() {
    return payload;
  }

  Instant slot(Instant now) {
    return at.orElseGet(() -> delay.after(now));
  }

  /* Nobody can be late with what nobody had asked for yet. */
  Instant dueAt(Instant now) {
    Instant slot = slot(now);
    return slot.isBefore(now) ? now : slot;
  }

  RunPolicy policy() {
    return trying.policy;
  }

  Optional<String> correlation() {
    return names.correlation;
  }

  Optional<String> overlapKey() {
    return names.overlapKey;
  }

  Optional<String> requestId() {
    return names.requestId;
  }
}
