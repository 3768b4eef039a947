package dev.carillon;

import dev.carillon.BatchLog.Mark;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Dismissal;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import dev.carillon.template.RunPayload;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

  private final Changes changes;
  private final List<Found> found;
  private final Instant at;
  private final List<Run> first;
  private final Optional<BatchLog> log;
  private final Optional<Mark> start;

  private DeadLetters(
      Changes changes,
      List<Found> found,
      Instant at,
      List<Run> first,
      Optional<BatchLog> log,
      Optional<Mark> start) {
    this.changes = changes;
    this.found = found;
    this.at = at;
    this.first = first;
    this.log = log;
    this.start = start;
  }

  /** What changing runs takes: a database, the runs, who does it, and how to wake the node. */
  record Changes(Database database, RunStore runs, Supplier<ChangedBy> stamp, Runnable wake) {}

  private record Found(RunId id, Instant diedAt, boolean template) {}

  static DeadLetters of(Changes changes, List<RunId> ids) {
    return new DeadLetters(
        changes,
        ids.stream().map(id -> new Found(id, Instant.EPOCH, true)).toList(),
        Instant.EPOCH,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  static DeadLetters found(
      Changes changes, Instant now, Function<Optional<String>, Page<Run>> pages) {
    var found = new ArrayList<Found>();
    var first = new ArrayList<Run>();
    Optional<String> after = Optional.empty();
    do {
      Page<Run> page = pages.apply(after);
      for (Run run : page.items()) {
        found.add(
            new Found(
                run.id(),
                run.finishedAt().orElse(Instant.EPOCH),
                run.policy().template().isPresent()));
        if (first.size() < SHOWN) {
          first.add(run);
        }
      }
      after = page.next();
    } while (after.isPresent());
    found.sort(Comparator.comparing(Found::id));
    return new DeadLetters(
        changes, found, now, List.copyOf(first), Optional.empty(), Optional.empty());
  }

  /** Return where these end: what fails for good later comes after it. */
  public String end() {
    return at.toString();
  }

  /** Return those up to {@code end} that a change that came as far as {@code mark} has left. */
  public DeadLetters after(Mark mark, String end) {
    RunId from = RunId.parse(mark.last()).orElseThrow();
    Instant to = Instant.parse(end);
    return new DeadLetters(
        changes,
        found.stream()
            .filter(one -> one.id.compareTo(from) > 0 && !one.diedAt.isAfter(to))
            .toList(),
        at,
        first,
        log,
        Optional.of(mark));
  }

  /** Return the same, and write to {@code log} how far a change has come. */
  public DeadLetters loggedBy(BatchLog log) {
    return new DeadLetters(changes, found, at, first, Optional.of(log), start);
  }

  /** Return how many there were. */
  public int count() {
    return found.size();
  }

  /** Return the first of them, the latest slots first, without their payloads. */
  public List<Run> first() {
    return first;
  }

  /** Run them again, each when it is its turn; return how many. */
  public long redrive() {
    return redrive(Optional.empty());
  }

  /**
   * Run them again with another payload; return how many. None is, if the payload cannot be filled
   * in for one of them.
   *
   * @throws InvalidValueException as {@link #check} does
   */
  public long redrive(Payload payload) {
    check(payload);
    return redrive(Optional.of(payload));
  }

  /**
   * Refuse {@code payload} if it cannot be filled in for one of them whose payload is a template.
   *
   * @throws InvalidValueException naming the place, and the cure
   */
  public void check(Payload payload) {
    List<RunId> templates = found.stream().filter(Found::template).map(Found::id).toList();
    new Batches<>(changes.database, templates, Optional.empty(), Optional.empty())
        .change(
            (tx, some) -> {
              for (Run run : changes.runs.deadLetters(tx, some)) {
                RunPayload.check(run.withPayload(payload));
              }
              return 0;
            });
  }

  private long redrive(Optional<Payload> payload) {
    RunStore runs = changes.runs;
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
          List<RunId> dismissed = changes.runs.dismiss(tx, some, new Dismissal(why, by));
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

  private long each(BiFunction<Transaction, List<RunId>, List<RunId>> change) {
    return new Batches<>(changes.database, found.stream().map(Found::id).toList(), log, start)
        .change((tx, some) -> change.apply(tx, some).size());
  }
}
