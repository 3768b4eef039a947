package dev.carillon;

import dev.carillon.BatchLog.Mark;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.Scope;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.store.schedule.ScheduleStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The schedules that a filter found at some moment, so that they can be counted and looked at
 * before anything is done. What is done, is done to these and to none that came later: some hundred
 * per transaction, and the audit says why, once for all.
 */
public final class FoundSchedules {
  /** How many of them are kept to be looked at. */
  public static final int SHOWN = 10;

  private final Changes changes;
  private final ScheduleFilter filter;
  private final long[] ids;
  private final List<String> first;
  private final Optional<BatchLog> log;
  private final Optional<Mark> start;

  private FoundSchedules(
      Changes changes,
      ScheduleFilter filter,
      long[] ids,
      List<String> first,
      Optional<BatchLog> log,
      Optional<Mark> start) {
    this.changes = changes;
    this.filter = filter;
    this.ids = ids;
    this.first = first;
    this.log = log;
    this.start = start;
  }

  /**
   * What changing schedules takes: the store, the actor, the wake-up of planning, how to run one.
   */
  record Changes(
      Database database,
      ScheduleStore store,
      Supplier<ChangedBy> stamp,
      PlanningWakeUp wakeUp,
      BiPredicate<Transaction, String> runNow) {}

  static FoundSchedules of(Changes changes, ScheduleFilter filter) {
    LongStream.Builder ids = LongStream.builder();
    var first = new ArrayList<String>();
    Optional<String> after = Optional.empty();
    do {
      Page<Schedule> page =
          changes.store.page(filter, after, ScheduleFilter.MAX_LIMIT, PayloadUse.LEFT_OUT);
      for (Schedule schedule : page.items()) {
        ids.add(schedule.id());
        if (first.size() < SHOWN) {
          first.add(schedule.key());
        }
      }
      after = page.next();
    } while (after.isPresent());
    return new FoundSchedules(
        changes,
        filter,
        ids.build().sorted().toArray(),
        List.copyOf(first),
        Optional.empty(),
        Optional.empty());
  }

  static FoundSchedules named(Changes changes, List<String> keys, Scope scope) {
    List<Schedule> found = changes.store.named(keys, scope);
    return new FoundSchedules(
        changes,
        ScheduleFilter.all().within(scope),
        found.stream().mapToLong(Schedule::id).sorted().toArray(),
        found.stream().limit(SHOWN).map(Schedule::key).toList(),
        Optional.empty(),
        Optional.empty());
  }

  /** Return where these end: schedules that are made later come after it. */
  public String end() {
    return String.valueOf(ids.length == 0 ? 0 : ids[ids.length - 1]);
  }

  /** Return those up to {@code end} that a change that came as far as {@code mark} has left. */
  public FoundSchedules after(Mark mark, String end) {
    long from = Long.parseLong(mark.last());
    long to = Long.parseLong(end);
    return new FoundSchedules(
        changes,
        filter,
        Arrays.stream(ids).filter(id -> id > from && id <= to).toArray(),
        first,
        log,
        Optional.of(mark));
  }

  /** Return the same, and write to {@code log} how far a change has come. */
  public FoundSchedules loggedBy(BatchLog log) {
    return new FoundSchedules(changes, filter, ids, first, Optional.of(log), start);
  }

  /** Return how many there were. */
  public int count() {
    return ids.length;
  }

  /** Return the keys of the first of them, in ascending order. */
  public List<String> first() {
    return first;
  }

  /** Pause those that are active; return how many. */
  public long pause(String reason) {
    return pause(Pause.because(reason));
  }

  /** Pause those that are active, at once or when {@code pause} begins; return how many. */
  public long pause(Pause given) {
    Pause pause = ScheduleLimits.pause(given, changes.stamp.get().at());
    return each(
        "pausing",
        Optional.of(pause.reason()),
        (tx, some) ->
            new ScheduleChanges(tx, filter.scope()).pause(some, pause, changes.stamp.get()));
  }

  /** Resume those that are paused; return how many. */
  public long resume(String reason) {
    return each(
        "resuming",
        Optional.of(reason),
        (tx, some) -> new ScheduleChanges(tx, filter.scope()).resume(some, changes.stamp.get()));
  }

  /** Run those that are not retired now; return how many. */
  public long runNow(String reason) {
    return each(
        "running",
        Optional.of(reason),
        (tx, some) -> Math.toIntExact(some.stream().filter(id -> runNow(tx, id)).count()));
  }

  private boolean runNow(Transaction tx, long id) {
    return ScheduleStore.find(tx, id)
        .map(Schedule::key)
        .filter(key -> changes.runNow.test(tx, key))
        .isPresent();
  }

  /** Retire those that are not retired; return how many. */
  public long retire(String reason) {
    return retire(Optional.of(reason));
  }

  /** Retire those that are not retired, without a reason; return how many. */
  public long retire() {
    return retire(Optional.empty());
  }

  private long retire(Optional<String> reason) {
    return each(
        "retiring",
        reason,
        (tx, some) -> new ScheduleChanges(tx, filter.scope()).retire(some, changes.stamp.get()));
  }

  private long each(
      String doing, Optional<String> reason, BiFunction<Transaction, List<Long>, Integer> change) {
    reason.ifPresent(why -> new Pause(why, Optional.empty())); // refuses what no pause can have
    return new Batches<>(changes.database, Arrays.stream(ids).boxed().toList(), log, start)
        .change(
            (tx, some) -> {
              int changed = change.apply(tx, some);
              if (changed > 0) {
                tx.afterCommit(changes.wakeUp::wakeUp);
              }
              return changed;
            },
            (tx, changed) ->
                AuditStore.insert(
                    tx,
                    List.of(AuditStore.Line.of("schedules." + doing, said(reason, changed))),
                    changes.stamp.get()));
  }

  /* A payload may be confidential; the audit only says that there was one. */
  private Map<String, Object> said(Optional<String> reason, long changed) {
    var said = new LinkedHashMap<String, Object>();
    reason.ifPresent(why -> said.put("reason", why));
    said.put("schedules", changed);
    filter.status().ifPresent(status -> said.put("status", status.name().toLowerCase(Locale.ROOT)));
    filter.target().ifPresent(target -> said.put("target", target));
    filter.tag().ifPresent(tag -> said.put("tag", tag));
    filter.text().ifPresent(text -> said.put("text", text));
    if (!filter.payload().content().isEmpty()) {
      said.put("byPayload", true);
    }
    return said;
  }
}
