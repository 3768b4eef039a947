package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.Holder;
import dev.carillon.store.Settled;
import dev.carillon.store.StoreException;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the ends of attempts down, many in one commit. */
final class CompletionStep implements Step {
  private static final int BATCH = 1_000;

  private final Parts parts;
  private final Completions completions;
  private final InFlight inFlight;
  private final Runnable freed;

  /** Call {@code freed} when runs are over and others may start. */
  CompletionStep(Parts parts, Completions completions, InFlight inFlight, Runnable freed) {
    this.parts = parts;
    this.completions = completions;
    this.inFlight = inFlight;
    this.freed = freed;
  }

  @Override
  public Duration run(Instant now) {
    List<RunAttempt> batch = completions.peek(BATCH);
    if (batch.isEmpty()) {
      return parts.settings().poll();
    }
    write(batch, now);
    boolean more = completions.written(batch.size());
    freed.run();
    return more ? Duration.ZERO : parts.settings().poll();
  }

  /* An attempt belongs to the epoch it was claimed in, which a batch may have two of. */
  private void write(List<RunAttempt> batch, Instant now) {
    var byHolder = new LinkedHashMap<Holder, List<RunAttempt>>();
    for (RunAttempt attempt : batch) {
      byHolder.computeIfAbsent(attempt.holder(), holder -> new ArrayList<>()).add(attempt);
    }
    byHolder.forEach((holder, attempts) -> settle(holder, attempts, now));
  }

  private void settle(Holder holder, List<RunAttempt> attempts, Instant now) {
    var settled = new HashMap<RunId, Settled>();
    for (RunAttempt attempt : attempts) {
      if (!attempt.isSettled()) {
        settled.put(attempt.id(), settled(attempt));
      }
    }
    Set<RunId> changed = bisect(holder, List.copyOf(settled.values()), now);
    for (RunAttempt attempt : attempts) {
      inFlight.remove(attempt);
      tell(attempt, settled.get(attempt.id()), changed);
    }
  }

  private static Settled settled(RunAttempt attempt) {
    Instant ended = attempt.endedAt();
    return new Settled(
        attempt.claimed(),
        Verdict.of(attempt.claimed(), attempt.outcome(), ended),
        attempt.startedAt(),
        ended);
  }

  /* A row that PostgreSQL refuses must not keep the others from being written. */
  private Set<RunId> bisect(Holder holder, List<Settled> batch, Instant now) {
    if (batch.isEmpty()) {
      return Set.of();
    }
    try {
      return parts.inTransaction(() -> parts.settles().settle(holder, batch, now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      if (batch.size() == 1) {
        return unrecordable(holder, batch.get(0), e, now);
      }
      var changed = new HashSet<>(bisect(holder, batch.subList(0, batch.size() / 2), now));
      changed.addAll(bisect(holder, batch.subList(batch.size() / 2, batch.size()), now));
      return changed;
    }
  }

  private Set<RunId> unrecordable(Holder holder, Settled one, StoreException problem, Instant now) {
    var failure =
        Failure.of("unrecordable", "the end could not be written: " + problem.getMessage());
    var verdict = Verdict.of(one.run(), Outcome.rejected(failure), now);
    try {
      return parts.inTransaction(
          () ->
              parts
                  .settles()
                  .settle(
                      holder, List.of(new Settled(one.run(), verdict, one.startedAt(), now)), now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      parts
          .events()
          .accept(new Event.TurnFailed(now, "completion", String.valueOf(e.getMessage())));
      return Set.of();
    }
  }

  private void tell(RunAttempt attempt, @Nullable Settled settled, Set<RunId> changed) {
    Run run = attempt.claimed();
    var ref = new RunRef(run.id(), run.schedule(), run.target());
    Instant at = attempt.endedAt();
    if (settled == null) {
      parts
          .events()
          .accept(finished(attempt, ref, RunState.SUCCEEDED, Optional.empty(), Optional.empty()));
    } else if (!changed.contains(run.id())) {
      parts.events().accept(new Event.Fenced(at, ref, run.attempt()));
    } else if (settled.verdict().state() == RunState.PENDING) {
      parts
          .events()
          .accept(
              new Event.Retrying(
                  at,
                  ref,
                  run.attempt(),
                  settled.verdict().wakeAt().orElse(at),
                  settled.verdict().failure().orElseGet(() -> Failure.of("interrupted", ""))));
    } else {
      Verdict verdict = Objects.requireNonNull(settled).verdict();
      parts
          .events()
          .accept(finished(attempt, ref, verdict.state(), verdict.failure(), verdict.reason()));
    }
  }

  private static Event finished(
      RunAttempt attempt,
      RunRef ref,
      RunState state,
      Optional<Failure> failure,
      Optional<String> reason) {
    Run run = attempt.claimed();
    return new Event.Finished(
        attempt.endedAt(),
        ref,
        state,
        run.dueAt(),
        Optional.of(attempt.startedAt()),
        run.attempt(),
        failure,
        reason);
  }
}
