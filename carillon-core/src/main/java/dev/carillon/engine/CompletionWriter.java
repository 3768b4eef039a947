package dev.carillon.engine;

import dev.carillon.engine.remote.Handovers;
import dev.carillon.event.EngineLoop;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.SettleStore;
import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes how attempts ended, all at once; what PostgreSQL refuses does not keep the others from
 * being written.
 */
public final class CompletionWriter {
  private final EngineContext engine;
  private final Database database;
  private final SettleStore settles;
  private final Handovers handovers;

  CompletionWriter(EngineContext engine, Handovers handovers) {
    this.engine = engine;
    this.database = engine.database();
    this.settles = engine.stores().settles();
    this.handovers = handovers;
  }

  /** Takes what is durable: after each commit of a batch that is written in parts. */
  @FunctionalInterface
  public interface Committed {
    /** Take ends that were written, and what became of their runs. */
    void accept(List<AttemptEnd> ends, Map<RunId, RunState> changed);
  }

  /**
   * Write the ends of attempts that {@code owner} made, and return what became of their runs; those
   * missing were lost to the fence. If this throws, {@code committed} was given what is written all
   * the same.
   */
  public Map<RunId, RunState> settle(
      Owner owner, List<AttemptEnd> batch, Instant now, Committed committed) {
    if (batch.isEmpty()) {
      return Map.of();
    }
    Map<RunId, RunState> written;
    try {
      written = database.inTransaction(tx -> write(tx, owner, batch, now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      if (batch.size() == 1) {
        return unrecordable(owner, batch.get(0), e, now, committed);
      }
      List<AttemptEnd> first = batch.subList(0, batch.size() / 2);
      List<AttemptEnd> second = batch.subList(batch.size() / 2, batch.size());
      var changed = new HashMap<>(settle(owner, first, now, committed));
      changed.putAll(settle(owner, second, now, committed));
      return changed;
    }
    committed.accept(batch, written);
    return written;
  }

  /** Return what became of runs whose {@code ends} an earlier, unconfirmed try has written. */
  Map<RunId, RunState> written(Owner owner, List<AttemptEnd> ends) {
    return ends.isEmpty()
        ? Map.of()
        : database.inTransaction(tx -> settles.written(tx, owner, ends));
  }

  private Map<RunId, RunState> write(
      Transaction tx, Owner owner, List<AttemptEnd> batch, Instant now) {
    handovers.call(tx, owner, batch.stream().filter(CompletionWriter::isCalledAnew).toList());
    List<AttemptEnd> accepted = batch.stream().filter(CompletionWriter::goesOn).toList();
    if (accepted.isEmpty()) {
      return finish(tx, owner, batch, now);
    }
    List<AttemptEnd> over = batch.stream().filter(end -> !goesOn(end)).toList();
    var changed = new HashMap<>(handovers.accept(tx, owner, accepted, now));
    changed.putAll(finish(tx, owner, over, now));
    return changed;
  }

  /* A run that the history has already is refused with its batch, and once it is alone let go. */
  private Map<RunId, RunState> finish(
      Transaction tx, Owner owner, List<AttemptEnd> over, Instant now) {
    return over.size() > 1
        ? settles.settleNew(tx, owner, over, now)
        : settles.settle(tx, owner, over, now);
  }

  private static boolean goesOn(AttemptEnd end) {
    return end.verdict().state() == RunState.RUNNING;
  }

  /* Few are: an extra statement for these spares the others a parameter in theirs. */
  private static boolean isCalledAnew(AttemptEnd end) {
    return end.verdict().state() == RunState.SUCCEEDED && end.run().externalId().isPresent();
  }

  private Map<RunId, RunState> unrecordable(
      Owner owner, AttemptEnd one, StoreException problem, Instant now, Committed committed) {
    var failure =
        Failure.of("unrecordable", "the end could not be written: " + problem.getMessage());
    var verdict = Verdict.of(one.run(), Outcome.failedPermanently(failure), now);
    var rejected = List.of(new AttemptEnd(one.run(), verdict, one.startedAt(), now));
    Map<RunId, RunState> written;
    try {
      written = database.inTransaction(tx -> settles.settle(tx, owner, rejected, now));
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      engine.publishFailure(EngineLoop.COMPLETION, "", e);
      return Map.of();
    }
    committed.accept(rejected, written);
    return written;
  }
}
