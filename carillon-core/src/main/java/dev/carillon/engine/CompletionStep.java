package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.model.Failure;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    var ends = new LinkedHashMap<RunAttempt, Settled>();
    attempts.forEach(attempt -> ends.put(attempt, settled(attempt)));
    List<Settled> unwritten =
        attempts.stream()
            .filter(attempt -> !attempt.isSettled())
            .map(attempt -> Objects.requireNonNull(ends.get(attempt)))
            .toList();
    Map<RunId, RunState> changed = bisect(holder, unwritten, now);
    ends.forEach(
        (attempt, end) -> {
          inFlight.remove(attempt);
          tell(attempt, end, changed);
        });
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
  private Map<RunId, RunState> bisect(Holder holder, List<Settled> batch, Instant now) {
    if (batch.isEmpty()) {
      return Map.of();
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
      var changed = new HashMap<>(bisect(holder, batch.subList(0, batch.size() / 2), now));
      changed.putAll(bisect(holder, batch.subList(batch.size() / 2, batch.size()), now));
      return changed;
    }
  }

  private Map<RunId, RunState> unrecordable(
      Holder holder, Settled one, StoreException problem, Instant now) {
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
      return Map.of();
    }
  }

  private void tell(RunAttempt attempt, Settled settled, Map<RunId, RunState> changed) {
    RunState state = changed.get(attempt.id());
    if (state == null && !attempt.isSettled()) {
      Event fenced =
          new Event.Fenced(
              attempt.endedAt(), Ends.ref(attempt.claimed()), attempt.claimed().attempt());
      parts.events().accept(fenced);
    } else if (state == null || state == settled.verdict().state()) {
      parts.events().accept(Ends.of(settled));
    } // else it was canceled before it could be tried again, which has been told
  }
}
