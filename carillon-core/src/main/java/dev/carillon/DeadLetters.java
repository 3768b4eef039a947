package dev.carillon;

import dev.carillon.engine.Engine;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Dismissal;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The dead letters that were found at some moment, so that they can be counted and looked at before
 * anything is done. What is done, is done to these and to none that came later; what is no dead
 * letter any more is left alone.
 */
public final class DeadLetters {
  /** How many of them are kept to be looked at. */
  public static final int SHOWN = 10;

  private static final int BATCH = 500;

  private final Changes changes;
  private final List<RunId> ids;
  private final List<Run> first;

  private DeadLetters(Changes changes, List<RunId> ids, List<Run> first) {
    this.changes = changes;
    this.ids = ids;
    this.first = first;
  }

  /** What changing runs takes: a transaction, who does it, and how to wake the node. */
  record Changes(Engine engine, Supplier<ChangedBy> stamp, Runnable wake) {}

  static DeadLetters of(Changes changes, List<RunId> ids) {
    return new DeadLetters(changes, List.copyOf(ids), List.of());
  }

  static DeadLetters found(Changes changes, Function<Optional<String>, Page<Run>> pages) {
    var ids = new ArrayList<RunId>();
    var first = new ArrayList<Run>();
    Optional<String> after = Optional.empty();
    do {
      Page<Run> page = pages.apply(after);
      for (Run run : page.items()) {
        ids.add(run.id());
        if (first.size() < SHOWN) {
          first.add(run);
        }
      }
      after = page.next();
    } while (after.isPresent());
    return new DeadLetters(changes, ids, List.copyOf(first));
  }

  /** Return how many there were. */
  public int count() {
    return ids.size();
  }

  /** Return the first of them, the latest slots first, without their payloads. */
  public List<Run> first() {
    return first;
  }

  /** Run them again, each when it is its turn; return how many. */
  public long redrive() {
    return redrive(Optional.empty());
  }

  /** Run them again with another payload; return how many. */
  public long redrive(Payload payload) {
    return redrive(Optional.of(payload));
  }

  private long redrive(Optional<Payload> payload) {
    RunStore runs = changes.engine.runs();
    long driven =
        each(
            (tx, some) -> {
              ChangedBy by = changes.stamp.get();
              List<RunId> pending = runs.again(tx, runs.deadLetters(tx, some), payload, by);
              if (!pending.isEmpty()) {
                AuditStore.insert(
                    tx, pending.stream().map(id -> retried(id, payload.isPresent())).toList(), by);
                Announcement.RUN.publish(tx);
              }
              return pending;
            });
    changes.wake.run();
    return driven;
  }

  static AuditStore.Line retried(RunId id, boolean edited) {
    return new AuditStore.Line(
        id.schedule(), "run.retried", Map.of("run", id.toString(), "edited", edited));
  }

  /**
   * Dismiss them: they stay failed, with the reason, and are no dead letters any more. Return how
   * many.
   */
  public long dismiss(String reason) {
    String why = ReasonText.of("dismissing", reason);
    return each(
        (tx, some) -> {
          ChangedBy by = changes.stamp.get();
          List<RunId> dismissed = changes.engine.runs().dismiss(tx, some, new Dismissal(why, by));
          AuditStore.insert(
              tx,
              dismissed.stream()
                  .map(
                      id ->
                          new AuditStore.Line(
                              id.schedule(),
                              "run.dismissed",
                              Map.of("run", id.toString(), "reason", why)))
                  .toList(),
              by);
          return dismissed;
        });
  }

  /* A batch per transaction: as many as there are could hold locks for minutes. */
  private long each(BiFunction<Transaction, List<RunId>, List<RunId>> change) {
    long changed = 0;
    for (int from = 0; from < ids.size(); from += BATCH) {
      List<RunId> some = ids.subList(from, Math.min(ids.size(), from + BATCH));
      changed += changes.engine.database().inTransaction(tx -> change.apply(tx, some)).size();
    }
    return changed;
  }
}
