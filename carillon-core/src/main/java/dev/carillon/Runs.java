package dev.carillon;

import dev.carillon.engine.Engine;
import dev.carillon.engine.remote.RunReports;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Page;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunActivity;
import dev.carillon.model.RunCounts;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Scope;
import dev.carillon.model.TrackRecord;
import dev.carillon.model.VersionRef;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunActivityStore;
import dev.carillon.store.run.RunCountStore;
import dev.carillon.store.run.RunPages;
import dev.carillon.store.run.RunQueries;
import dev.carillon.store.run.RunScope;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.run.RunStore.AdHoc;
import dev.carillon.template.RunPayload;
import dev.carillon.time.InvalidValueException;
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The runs: what is pending, running and over, and work without a schedule.
 *
 * <p>Whatever returns normally is durable.
 */
public final class Runs {
  private static final int BATCH = 1_000;

  /* So many runs are counted by the minute in a fraction of a second. */
  private static final int MOST_ACTIVE = 100_000;

  private final Database database;
  private final Engine engine;
  private final RunReports reports;

  /* For statements about many rows: their plans are made for each call. */
  private final Database batches;
  private final RunStore store;
  private final RunQueries lists;
  private final RunPages pages;
  private final RunCountStore counts;
  private final RunActivityStore activity;
  private final InstantSource time;
  private final KnownTargets targets;
  private final Runnable wake;
  private final String actor;
  private final Scope scope;
  private final RunScope reach;

  Runs(
      Database database,
      Engine engine,
      InstantSource time,
      KnownTargets targets,
      Runnable wake,
      String actor) {
    this(
        database,
        engine.batches(database),
        engine,
        engine.reports(),
        time,
        targets,
        wake,
        new Caller(actor, Scope.ALL));
  }

  private Runs(
      Database database,
      Database batches,
      Engine engine,
      RunReports reports,
      InstantSource time,
      KnownTargets targets,
      Runnable wake,
      Caller caller) {
    this.database = database;
    this.batches = batches;
    this.engine = engine;
    this.reports = reports;
    this.store = new RunStore(database);
    this.lists = new RunQueries(database);
    this.pages = new RunPages(lists);
    this.counts = new RunCountStore(database);
    this.activity = new RunActivityStore(database, MOST_ACTIVE);
    this.time = time;
    this.targets = targets;
    this.wake = wake;
    this.actor = caller.actor;
    this.scope = caller.scope;
    this.reach = new RunScope(database, scope);
  }

  /** Who uses the runs, and what that one reaches. */
  private record Caller(String actor, Scope scope) {}

  /** Return these runs, as used by {@code actor}: the name in the audit. */
  public Runs as(String actor) {
    return used(new Caller(ScheduleLimits.actor(actor), scope));
  }

  /**
   * Return those of the runs that {@code reached} reaches; others are as if there were none. A run
   * goes by its own target, and by the key and the tags of its schedule as it stands; one without a
   * schedule by its target alone. To enqueue what is not reached is an {@link OutOfScopeException}.
   */
  public Runs within(Scope reached) {
    return used(new Caller(actor, reached));
  }

  private Runs used(Caller caller) {
    return new Runs(database, batches, engine, reports, time, targets, wake, caller);
  }

  /** Return these runs as part of {@code tx}: what is done here commits with it. */
  Runs in(Transaction tx) {
    return new Runs(
        database.within(tx),
        batches.within(tx),
        engine,
        engine.reports(tx),
        time,
        targets,
        () -> tx.afterCommit(wake),
        new Caller(actor, scope));
  }

  /** Enqueue work. */
  public RunId enqueue(RunDraft draft) {
    return enqueueAll(List.of(draft)).get(0);
  }

  /** Enqueue work, a thousand pieces per transaction, and return their ids in the same order. */
  public List<RunId> enqueueAll(List<RunDraft> drafts) {
    List<AdHoc> work = work(drafts);
    var ids = new ArrayList<RunId>(work.size());
    for (int from = 0; from < work.size(); from += BATCH) {
      List<AdHoc> batch = work.subList(from, Math.min(work.size(), from + BATCH));
      ids.addAll(database.inTransaction(tx -> insert(tx, batch)));
    }
    wake.run();
    return ids;
  }

  /**
   * Enqueue work in the transaction that the caller has open on {@code connection}: it exists if
   * and only if that transaction commits.
   */
  public RunId enqueue(Connection connection, RunDraft draft) {
    return enqueueAll(connection, List.of(draft)).get(0);
  }

  /** Enqueue work in the transaction that the caller has open on {@code connection}. */
  public List<RunId> enqueueAll(Connection connection, List<RunDraft> drafts) {
    List<AdHoc> work = work(drafts);
    return work.isEmpty() ? List.of() : insert(database.on(connection), work);
  }

  private List<AdHoc> work(List<RunDraft> drafts) {
    Instant now = time.instant();
    var calendars = new RunCalendars(() -> RuleBooks.read(database));
    List<AdHoc> work =
        drafts.stream().map(draft -> draft.enqueuedAt(now, targets, calendars)).toList();
    for (AdHoc one : work) {
      scope.checkAdHoc(one.target());
      one.deadline().ifPresent(deadline -> scope.checkEscalation(deadline.escalateTo()));
    }
    return work;
  }

  private List<RunId> insert(Transaction tx, List<AdHoc> work) {
    List<RunId> ids = store.enqueue(tx, work, new ChangedBy(time.instant(), actor));
    Announcement.RUN.publish(tx);
    return ids;
  }

  /** Return a run, with its earlier attempts. */
  public Optional<Run> get(RunId id) {
    return reach.admitted(store.find(id).stream().toList()).stream().findFirst();
  }

  /** Return those of {@code ids} that are runs, if not all are reached anyway. */
  public Set<RunId> reached(Collection<RunId> ids) {
    return reach.reached(ids);
  }

  private boolean hides(RunId id) {
    return reach.reached(List.of(id)).isEmpty();
  }

  /** Return runs, the latest slots first. */
  public List<Run> list(RunFilter filter) {
    return pages.list(filter.within(scope));
  }

  /**
   * Return a page of runs, the latest slots first, whatever limit {@code filter} has. It costs the
   * same however long the history is, and so may be short.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<Run> page(RunFilter filter, Optional<String> after, int limit) {
    return page(filter, after, limit, PayloadUse.INCLUDED);
  }

  /** Return a page of runs with or without their payloads. */
  public Page<Run> page(RunFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    return pages.page(filter.within(scope), after, limit, payloads);
  }

  /** Return the latest fifty runs of the schedule called {@code key}. */
  public List<Run> ofSchedule(String key) {
    return list(RunFilter.bySchedule(key));
  }

  /**
   * Return what became of the latest runs of each of the schedules called {@code keys}, the latest
   * slot first: of those that have started or ended, at most {@code each}. Schedules without any
   * are left out.
   */
  public Map<String, List<RecentRun>> recent(Collection<String> keys, int each) {
    return lists.recent(keys, RunFilter.all().limit(each).limit());
  }

  /**
   * Return how the runs of each of {@code versions} have been doing, as far as the latest two
   * hundred runs tell that their schedules had by then. Versions without any are left out.
   */
  public Map<VersionRef, TrackRecord> trackRecords(Collection<VersionRef> versions) {
    return lists.trackRecords(versions);
  }

  /**
   * Count the runs that are over by state. Those with a slot in the period count: in whole hours
   * from the one that {@code from} lies in, up to {@code until}.
   */
  public Map<RunState, Long> counts(Instant from, Instant until) {
    RunFilter period = RunFilter.all().between(from, until);
    return counts.byState(period.from(), period.until());
  }

  /**
   * Return what ran with a slot in the period, by minute, and how late it started; of so many runs
   * that it takes long to look at them all, the latest.
   */
  public RunActivity activity(Instant from, Instant until) {
    RunFilter period = RunFilter.all().between(from, until);
    return activity.between(period.from(), period.until());
  }

  /**
   * Count the runs of the schedule called {@code key} that started or ended, by the day of their
   * slots on the clock of {@code zone}; oldest day first, and of many runs the latest.
   */
  public List<RunCounts<LocalDate>> countsByDay(
      String key, Instant from, Instant until, ZoneId zone) {
    RunFilter period = RunFilter.all().between(from, until);
    return activity.byDay(key, period.from(), period.until(), zone);
  }

  /** Count the runs that are over by hour and state, as {@link #counts} does; oldest hour first. */
  public List<RunCounts<Instant>> countsByHour(Instant from, Instant until) {
    RunFilter period = RunFilter.all().between(from, until);
    return counts.byHour(period.from(), period.until());
  }

  /** Count the runs that are over by target and state, as {@link #counts} does; by label. */
  public List<RunCounts<String>> countsByTarget(Instant from, Instant until) {
    RunFilter period = RunFilter.all().between(from, until);
    return counts.byTarget(period.from(), period.until());
  }

  /**
   * Cancel a run: at once if it has not started, or was accepted elsewhere, else by asking it to
   * stop. Returns what it is after that; empty if there is no such run, or if it is over.
   */
  public Optional<RunState> cancel(RunId id, String reason) {
    String why = ReasonText.of("canceling", reason);
    if (hides(id)) {
      return Optional.empty();
    }
    Instant now = time.instant();
    return batches.inTransaction(
        tx -> {
          Optional<RunState> state =
              reports.cancel(tx, id, why, now).or(() -> store.cancel(tx, id, why, now));
          if (state.isPresent()) {
            AuditStore.insert(tx, List.of(canceled(id, why)), new ChangedBy(now, actor));
            Announcement what =
                state.get() == RunState.RUNNING ? Announcement.STOP : Announcement.RUN;
            what.publish(tx);
          }
          return state;
        });
  }

  /**
   * Take note of what those who work on a running run say about it, on whichever node. A failure
   * goes through the run's retries like any other. Returns what the run is after that; empty if
   * there is no such run. A run that is not running, or is on another attempt than the report is
   * about, stays as it is.
   */
  public Optional<RunState> report(RunId id, Report report) {
    if (hides(id)) {
      return Optional.empty();
    }
    Optional<RunState> state = reports.take(id, report);
    wake.run();
    return state;
  }

  /**
   * Cancel all runs with this correlation that have not started, a thousand per transaction; return
   * how many.
   */
  public int cancelAll(String correlation, String reason) {
    String word = ScheduleLimits.correlation(correlation);
    return cancelAll(
        reason,
        (tx, after, why, now) ->
            store.cancelUnstarted(tx, store.lockUnstarted(tx, word, scope, BATCH), why, now));
  }

  /**
   * Cancel all runs without a schedule whose payload contains {@code payload} and that have not
   * started, a thousand per transaction; return how many. It reads all runs that are on their way.
   */
  public int cancelAll(Payload payload, String reason) {
    if (payload.equals(Payload.EMPTY)) {
      throw new InvalidValueException(
          "canceling many runs needs something that their payloads contain");
    }
    RunFilter wanted = RunFilter.all().payload(payload).within(scope);
    return cancelAll(
        reason, (tx, after, why, now) -> store.cancelUnstarted(tx, wanted, after, why, now, BATCH));
  }

  private interface BatchCanceler {
    List<RunId> cancel(Transaction tx, Optional<RunId> after, String why, Instant now);
  }

  private int cancelAll(String reason, BatchCanceler batch) {
    String why = ReasonText.of("canceling", reason);
    int all = 0;
    Optional<RunId> last = Optional.empty();
    int canceled;
    do {
      Instant now = time.instant();
      Optional<RunId> after = last;
      List<RunId> ids =
          batches.inTransaction(tx -> audited(tx, batch.cancel(tx, after, why, now), why, now));
      last = ids.stream().max(Comparator.naturalOrder());
      canceled = ids.size();
      all += canceled;
    } while (canceled == BATCH);
    return all;
  }

  /**
   * Cancel all runs with this correlation that have not started, if there are {@code expected} of
   * them; empty, and nothing is changed, if it is another number.
   */
  public Optional<Integer> cancelAll(String correlation, String reason, int expected) {
    String word = ScheduleLimits.correlation(correlation);
    String why = ReasonText.of("canceling", reason);
    Instant now = time.instant();
    return batches.inTransaction(
        tx -> {
          List<RunId> unstarted =
              store.lockUnstarted(
                  tx, word, scope, expected == Integer.MAX_VALUE ? expected : expected + 1);
          return unstarted.size() == expected
              ? Optional.of(
                  audited(tx, store.cancelUnstarted(tx, unstarted, why, now), why, now).size())
              : Optional.empty();
        });
  }

  private List<RunId> audited(Transaction tx, List<RunId> canceled, String why, Instant now) {
    AuditStore.insert(
        tx, canceled.stream().map(id -> canceled(id, why)).toList(), new ChangedBy(now, actor));
    return canceled;
  }

  /**
   * Run a failed, canceled or skipped run again, now. Returns it as it is then; empty if there is
   * no such run, or if it succeeded or is not over.
   */
  public Optional<Run> retry(RunId id) {
    return again(id, Optional.empty());
  }

  /** Run a failed, canceled or skipped run again, now, with another payload. */
  public Optional<Run> retry(RunId id, Payload payload) {
    return again(id, Optional.of(payload));
  }

  private Optional<Run> again(RunId id, Optional<Payload> payload) {
    if (hides(id)) {
      return Optional.empty();
    }
    Instant now = time.instant();
    Optional<Run> run =
        batches.inTransaction(
            tx -> {
              Optional<Run> pending = store.again(tx, id, payload, new ChangedBy(now, actor));
              payload.flatMap(given -> pending).ifPresent(RunPayload::check);
              if (pending.isPresent()) {
                AuditStore.insert(
                    tx,
                    List.of(DeadLetters.retried(id, payload.isPresent())),
                    new ChangedBy(now, actor));
                Announcement.RUN.publish(tx);
              }
              return pending;
            });
    wake.run();
    return run;
  }

  /** Return the latest failed runs that are not dismissed. */
  public List<Run> deadLetters(int limit) {
    return deadLetters(Instant.MAX, limit);
  }

  /** Return the latest runs that failed before {@code before}. */
  public List<Run> deadLetters(Instant before, int limit) {
    RunFilter page = RunFilter.all().between(Instant.EPOCH, before).limit(limit);
    return lists.deadLetters(page.until(), page.limit());
  }

  /** Return a page of dead letters, the latest slots first, as {@link #page} does. */
  public Page<Run> deadLetters(RunFilter filter, Optional<String> after, int limit) {
    return deadLetters(filter, after, limit, PayloadUse.INCLUDED);
  }

  /** Return a page of dead letters with or without their payloads. */
  public Page<Run> deadLetters(
      RunFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    return pages.deadLetters(dead(filter).within(scope), after, limit, payloads);
  }

  /** Find all dead letters that {@code filter} wants, to do something with these and no others. */
  public DeadLetters findDeadLetters(RunFilter filter) {
    RunFilter wanted = dead(filter).within(scope);
    return DeadLetters.found(
        changes(),
        time.instant(),
        after -> pages.deadLetters(wanted, after, RunFilter.MAX_PAGE, PayloadUse.LEFT_OUT));
  }

  private static RunFilter dead(RunFilter filter) {
    if (filter.state().filter(state -> state != RunState.FAILED).isPresent()) {
      throw new InvalidValueException(
          "dead letters are failed runs; ask for no state, or leave it to the list of runs");
    }
    return filter.state(RunState.FAILED);
  }

  /** Run dead letters again; return how many of them were still dead. */
  public int redrive(List<RunId> ids) {
    int driven = 0;
    for (RunId id : ids) {
      driven += retry(id).isPresent() ? 1 : 0;
    }
    return driven;
  }

  /**
   * Run dead letters again with another payload; return how many of them were still dead. None is
   * run, if the payload is a template for one of them and cannot be filled in.
   */
  public int redrive(List<RunId> ids, Payload payload) {
    for (RunId id : ids) {
      get(id)
          .filter(run -> run.state().canBecome(RunState.PENDING))
          .ifPresent(run -> RunPayload.check(run.withPayload(payload)));
    }
    int driven = 0;
    for (RunId id : ids) {
      driven += retry(id, payload).isPresent() ? 1 : 0;
    }
    return driven;
  }

  /** Run all dead letters that {@code filter} wants again; return how many. */
  public long redrive(RunFilter filter) {
    return narrowed(filter, "driving").redrive();
  }

  /** Run all dead letters that {@code filter} wants again, with another payload. */
  public long redrive(RunFilter filter, Payload payload) {
    return narrowed(filter, "driving").redrive(payload);
  }

  /**
   * Dismiss dead letters, for a reason that is shown with them: they stay failed, and are no dead
   * letters any more. Return how many of them were.
   */
  public long dismiss(List<RunId> ids, String reason) {
    return DeadLetters.of(changes(), ids.stream().filter(reached(ids)::contains).toList())
        .dismiss(reason);
  }

  /** Dismiss all dead letters that {@code filter} wants; return how many. */
  public long dismiss(RunFilter filter, String reason) {
    return narrowed(filter, "dismissing").dismiss(reason);
  }

  private DeadLetters narrowed(RunFilter filter, String doing) {
    if (!filter.narrows()) {
      throw new InvalidValueException(
          doing
              + " all dead letters needs a filter; name a schedule, target, period or text, or use"
              + " findDeadLetters");
    }
    return findDeadLetters(filter);
  }

  private DeadLetters.Changes changes() {
    return new DeadLetters.Changes(
        batches, store, () -> new ChangedBy(time.instant(), actor), wake);
  }

  private static AuditStore.Line canceled(RunId id, String why) {
    return new AuditStore.Line(
        id.schedule(), "run.canceled", Map.of("run", id.toString(), "reason", why));
  }
}
