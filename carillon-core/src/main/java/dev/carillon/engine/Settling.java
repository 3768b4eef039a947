package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.Holder;
import dev.carillon.store.Settled;
import dev.carillon.store.StoreException;
import dev.carillon.store.Transaction;
import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes how attempts ended, all at once; what PostgreSQL refuses does not keep the others from
 * being written.
 */
final class Settling {
  private final Parts parts;
  private final Handovers handovers;

  Settling(Parts parts, Handovers handovers) {
    this.parts = parts;
    this.handovers = handovers;
  }

  /**
   * Write the ends of attempts that {@code holder} made, and return what became of their runs;
   * those missing were lost to the fence.
   */
  Map<RunId, RunState> settle(Holder holder, List<Settled> batch, Instant now) {
    if (batch.isEmpty()) {
      return Map.of();
    }
    try {
      return parts.database().inTransaction(tx -> write(tx, holder, batch, now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      if (batch.size() == 1) {
        return unrecordable(holder, batch.get(0), e, now);
      }
      var changed = new HashMap<>(settle(holder, batch.subList(0, batch.size() / 2), now));
      changed.putAll(settle(holder, batch.subList(batch.size() / 2, batch.size()), now));
      return changed;
    }
  }

  private Map<RunId, RunState> write(
      Transaction tx, Holder holder, List<Settled> batch, Instant now) {
    handovers.call(tx, holder, batch.stream().filter(Settling::isCalledAnew).toList());
    List<Settled> accepted = batch.stream().filter(Settling::goesOn).toList();
    if (accepted.isEmpty()) {
      return finish(tx, holder, batch, now);
    }
    List<Settled> over = batch.stream().filter(end -> !goesOn(end)).toList();
    var changed = new HashMap<>(handovers.accept(tx, holder, accepted, now));
    changed.putAll(finish(tx, holder, over, now));
    return changed;
  }

  /* A run that the history has already is refused with its batch, and once it is alone let go. */
  private Map<RunId, RunState> finish(
      Transaction tx, Holder holder, List<Settled> over, Instant now) {
    return over.size() > 1
        ? parts.settles().settleNew(tx, holder, over, now)
        : parts.settles().settle(tx, holder, over, now);
  }

  private static boolean goesOn(Settled end) {
    return end.verdict().state() == RunState.RUNNING;
  }

  /* Few are: an extra statement for these spares the others a parameter in theirs. */
  private static boolean isCalledAnew(Settled end) {
    return end.verdict().state() == RunState.SUCCEEDED && end.run().externalId().isPresent();
  }

  private Map<RunId, RunState> unrecordable(
      Holder holder, Settled one, StoreException problem, Instant now) {
    var failure =
        Failure.of("unrecordable", "the end could not be written: " + problem.getMessage());
    var verdict = Verdict.of(one.run(), Outcome.rejected(failure), now);
    try {
      return parts
          .database()
          .inTransaction(
              tx ->
                  parts
                      .settles()
                      .settle(
                          tx,
                          holder,
                          List.of(new Settled(one.run(), verdict, one.startedAt(), now)),
                          now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      parts.publish(
          new Event.TurnFailed(
              now, EngineLoop.COMPLETION, String.valueOf(e.getMessage()), Optional.of(e)));
      return Map.of();
    }
  }
}
