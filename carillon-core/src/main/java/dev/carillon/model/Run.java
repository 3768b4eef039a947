package dev.carillon.model;

import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One slot, or one manual, ad-hoc or backfill request, on its way or at its end.
 *
 * @param id its identity
 * @param schedule the key of its schedule; empty for an ad-hoc run
 * @param version the version of the schedule it was planned by; zero for an ad-hoc run
 * @param trigger what caused it
 * @param target the label of what runs
 * @param payload what it is given
 * @param dueAt when it was to start: its slot, moved by jitter
 * @param state where it is in its life
 * @param attempt how many times it was claimed
 * @param node the node that has or had it last
 * @param startedAt when its last attempt began
 * @param finishedAt when it was over
 * @param failure why it failed
 * @param reason why it was canceled or skipped, or is asked to stop
 * @param progress how far it says it is
 * @param correlation a word its creator finds it by
 * @param externalId what those who accepted it call it
 * @param overlap the overlap rule it obeys
 * @param policy how it is tried and recovered
 * @param attempts its earlier attempts
 * @param dismissal why it is no dead letter, though it failed
 */
public record Run(
    RunId id,
    Optional<String> schedule,
    int version,
    Trigger trigger,
    String target,
    Payload payload,
    Instant dueAt,
    RunState state,
    int attempt,
    Optional<UUID> node,
    Optional<Instant> startedAt,
    Optional<Instant> finishedAt,
    Optional<Failure> failure,
    Optional<String> reason,
    Optional<String> progress,
    Optional<String> correlation,
    Optional<String> externalId,
    Overlap overlap,
    RunPolicy policy,
    List<Attempt> attempts,
    Optional<Dismissal> dismissal) {
  public Run {
    attempts = List.copyOf(attempts);
  }

  /** Return this run as it is once {@code node} has claimed it. */
  public Run claimedBy(UUID node, Instant now) {
    RunState running = state.become(RunState.RUNNING);
    return with(running, attempt + 1, Optional.of(node), Optional.of(now), externalId, dismissal);
  }

  /** Return this run with the name that an external system gave it, if it gave one. */
  public Run calledBy(Optional<String> external) {
    return with(state, attempt, node, startedAt, external.or(() -> externalId), dismissal);
  }

  /** Return this run as it is in the hands of {@code holder}, which is no node. */
  public Run leasedTo(UUID holder) {
    return with(state, attempt, Optional.of(holder), startedAt, externalId, dismissal);
  }

  /** Return this failed run as it is once it is dismissed. */
  public Run dismissed(Dismissal dismissal) {
    return with(state, attempt, node, startedAt, externalId, Optional.of(dismissal));
  }

  /** Return this run with an empty payload. */
  public Run withoutPayload() {
    return withPayload(Payload.EMPTY);
  }

  /** Return this run with {@code payload}. */
  public Run withPayload(Payload payload) {
    return with(state, attempt, node, startedAt, externalId, dismissal, payload, policy);
  }

  /** Return this run with {@code policy}. */
  public Run withPolicy(RunPolicy policy) {
    return with(state, attempt, node, startedAt, externalId, dismissal, payload, policy);
  }

  private Run with(
      RunState state,
      int attempt,
      Optional<UUID> node,
      Optional<Instant> startedAt,
      Optional<String> externalId,
      Optional<Dismissal> dismissal) {
    return with(state, attempt, node, startedAt, externalId, dismissal, payload, policy);
  }

  /* Every type stands once, so that the compiler finds two that are exchanged. */
  private Run with(
      RunState state,
      int attempt,
      Optional<UUID> node,
      Optional<Instant> startedAt,
      Optional<String> externalId,
      Optional<Dismissal> dismissal,
      Payload payload,
      RunPolicy policy) {
    return new Run(
        id,
        schedule,
        version,
        trigger,
        target,
        payload,
        dueAt,
        state,
        attempt,
        node,
        startedAt,
        finishedAt,
        failure,
        reason,
        progress,
        correlation,
        externalId,
        overlap,
        policy,
        attempts,
        dismissal);
  }

  /** Tell whether this run failed for good and is not dismissed. */
  public boolean isDeadLetter() {
    return state == RunState.FAILED && dismissal.isEmpty();
  }

  /** Return the planned time, before jitter. */
  public Instant slot() {
    return id.slot();
  }

  /** Return a key that is the same for every attempt of this run and for no other run. */
  public String idempotencyKey() {
    return IdempotencyKey.of(id, schedule);
  }

  /** Return how late its last attempt began. */
  public Optional<Duration> lateness() {
    return startedAt.map(started -> Duration.between(dueAt, started));
  }

  /** Return how long its last attempt took. */
  public Optional<Duration> duration() {
    return startedAt.flatMap(
        started -> finishedAt.map(finished -> Duration.between(started, finished)));
  }
}
