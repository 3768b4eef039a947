package dev.carillon.store;

import dev.carillon.event.Event;
import dev.carillon.model.Definition;
import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.Saved;
import dev.carillon.model.Saved.Change;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.Stamp;
import dev.carillon.plan.Planner;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Schedules, their versions, and every change of them.
 *
 * <p>A change is one transaction: the schedule, its cursor, the runs it takes back, what it decides
 * about slots, and the audit of it are kept together or not at all, and its event is published
 * after that. Locks are taken in the order schedule, cursor, run.
 */
public final class ScheduleStore {
  private static final String ENGINE = "carillon";
  private static final int MOST_RESUMED_AT_ONCE = 100;

  private final Database database;
  private final ScheduleRows rows;
  private final Holding holding = new Holding();

  public ScheduleStore(Database database) {
    this.database = database;
    this.rows = new ScheduleRows(database);
  }

  /** Find a schedule by its key. */
  public Optional<Schedule> find(String key) {
    return find(database, key);
  }

  /** Find a schedule by its key, as {@code statements} see it. */
  public Optional<Schedule> find(Statements statements, String key) {
    return rows.find(statements, key);
  }

  /** Find a schedule by its number. */
  public Optional<Schedule> find(long id) {
    return rows.find(database, id);
  }

  /** Return the schedules that {@code filter} wants. */
  public List<Schedule> list(ScheduleFilter filter) {
    return rows.list(filter);
  }

  /** Return a page of the schedules that {@code filter} wants, whatever its after and limit. */
  public Page<Schedule> page(ScheduleFilter filter, Optional<String> after, int limit) {
    return new SchedulePages(database, SchedulePages.Effort.USUAL).page(filter, after, limit);
  }

  /** Return the last thousand versions of a schedule, newest first. */
  public List<ScheduleVersion> versions(String key) {
    return rows.versions(key);
  }

  /** Find a version of a schedule. */
  public Optional<ScheduleVersion> version(Statements statements, String key, int version) {
    return rows.version(statements, key, version);
  }

  /** Create schedules whose keys are free, and return the keys of those. */
  public Set<String> create(
      Transaction transaction, Map<String, Definition> definitions, Stamp by) {
    Set<String> created = new Editing(transaction).create(definitions, by);
    created.forEach(key -> publish(transaction, by, key, "schedule.created", Optional.empty()));
    return created;
  }

  /** Create a schedule, or make a new version of it if it says something else. */
  public Saved save(Transaction transaction, String key, Definition definition, Stamp by) {
    Optional<Held> found = holding.byKey(transaction, key);
    if (found.isEmpty()
        && new Editing(transaction).create(Map.of(key, definition), by).contains(key)) {
      return saved(transaction, key, Change.CREATED);
    }
    Held held =
        current(
            transaction, found.or(() -> holding.byKey(transaction, key)).orElseThrow(), by.at());
    Stamp stamp = notBefore(List.of(held), by);
    if (held.is(ScheduleStatus.RETIRED) && isOver(transaction, held, definition, stamp.at())) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    return change(transaction, held, definition, stamp, Map.of());
  }

  /* A schedule that ran its course and is saved again as it was: there is nothing to do for it. */
  private boolean isOver(Transaction transaction, Held held, Definition definition, Instant now) {
    return new Editing(transaction).isSame(held, definition)
        && (Planner.next(definition, now).isEmpty() || definition.window().until().isBefore(now));
  }

  /**
   * Make a new version of a schedule that is not retired; empty if there is none such.
   *
   * @param expected the version it must have, if that matters
   * @param edit makes the new definition of the schedule as it stands
   * @param details more to say in the audit
   */
  public Optional<Saved> change(
      Transaction transaction,
      String key,
      Optional<Integer> expected,
      Function<Schedule, Definition> edit,
      Stamp by,
      Map<String, ?> details) {
    return byKey(transaction, key, by.at())
        .filter(held -> !held.is(ScheduleStatus.RETIRED))
        .map(
            held ->
                held.isOther(expected)
                    ? new Saved(held.schedule(), Change.STALE)
                    : change(
                        transaction,
                        held,
                        edit.apply(held.schedule()),
                        notBefore(List.of(held), by),
                        details));
  }

  private Saved change(
      Transaction transaction, Held held, Definition definition, Stamp by, Map<String, ?> details) {
    if (!held.is(ScheduleStatus.RETIRED) && new Editing(transaction).isSame(held, definition)) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    new Editing(transaction).change(held, definition, by, details);
    return saved(transaction, held.key(), Change.NEW_VERSION);
  }

  /**
   * Pause a schedule, at once or when {@code pause} begins, or give a paused one another reason;
   * empty if there is none.
   */
  public Optional<Saved> pause(Transaction transaction, String key, Pause pause, Stamp by) {
    return byKey(transaction, key, by.at())
        .map(
            held -> {
              Schedule schedule = held.schedule();
              if (held.is(ScheduleStatus.RETIRED)
                  || schedule.pause().or(schedule::comingPause).filter(pause::equals).isPresent()) {
                return new Saved(schedule, Change.UNCHANGED);
              }
              if (pause.from().isPresent() && held.is(ScheduleStatus.PAUSED)) {
                throw new InvalidValueException(
                    "from",
                    "schedule '"
                        + key
                        + "' is paused already, so no pause can begin at "
                        + pause.from().get()
                        + "; resume it first, or leave the beginning out");
              }
              pause(transaction, List.of(held), pause, notBefore(List.of(held), by));
              return saved(
                  transaction,
                  key,
                  pause.from().isPresent() ? Change.PAUSE_PLANNED : Change.PAUSED);
            });
  }

  private void pause(Transaction transaction, List<Held> held, Pause pause, Stamp by) {
    if (pause.from().isPresent()) {
      new Stopping(transaction).pauseLater(held, pause, by);
    } else {
      new Stopping(transaction).pause(held, any -> pause, by);
    }
  }

  private Optional<Held> byKey(Transaction transaction, String key, Instant now) {
    return holding.byKey(transaction, key).map(held -> current(transaction, held, now));
  }

  private Held current(Transaction transaction, Held held, Instant now) {
    return current(transaction, List.of(held), now).get(0);
  }

  /* A pause that was to begin by now has begun for whoever changes the schedule, too. */
  private List<Held> current(Transaction transaction, List<Held> held, Instant now) {
    List<Held> begin = held.stream().filter(one -> one.pausesBy(now)).toList();
    if (begin.isEmpty()) {
      return held;
    }
    new Stopping(transaction).begin(begin, notBefore(begin, new Stamp(now, ENGINE)));
    return holding.byId(transaction, held.stream().map(Held::id).toList());
  }

  /** Resume a paused schedule, or cancel its coming pause; empty if there is none. */
  public Optional<Saved> resume(Transaction transaction, String key, Stamp by) {
    return byKey(transaction, key, by.at())
        .map(
            held -> {
              if (held.schedule().comingPause().isPresent()) {
                new Resuming(transaction).cancel(List.of(held), notBefore(List.of(held), by));
                return saved(transaction, key, Change.RESUMED);
              }
              if (!held.is(ScheduleStatus.PAUSED)) {
                return new Saved(held.schedule(), Change.UNCHANGED);
              }
              if (Unreadable.is(held.definition())) {
                throw new InvalidValueException(
                    "schedule '"
                        + key
                        + "' cannot be resumed: its definition "
                        + held.definition().description()
                        + "; save it anew first");
              }
              boolean over =
                  !new Resuming(transaction)
                      .resume(List.of(held), notBefore(List.of(held), by))
                      .isEmpty();
              return saved(transaction, key, over ? Change.COMPLETED : Change.RESUMED);
            });
  }

  /**
   * Lock a schedule and its cursor, so that nobody changes, plans or backfills it meanwhile.
   *
   * @return how it stands, and up to where its slots are runs or decisions
   */
  public Optional<Map.Entry<Schedule, Instant>> hold(Transaction transaction, String key) {
    return holding
        .byKey(transaction, key)
        .map(held -> Map.entry(held.schedule(), held.plannedThrough()));
  }

  /**
   * Retire a schedule; empty if there is none.
   *
   * @param expected the version it must have, if that matters
   */
  public Optional<Saved> retire(
      Transaction transaction, String key, Optional<Integer> expected, Stamp by) {
    return byKey(transaction, key, by.at())
        .map(
            held -> {
              if (held.isOther(expected)) {
                return new Saved(held.schedule(), Change.STALE);
              }
              if (held.is(ScheduleStatus.RETIRED) && !held.schedule().completed()) {
                return new Saved(held.schedule(), Change.UNCHANGED);
              }
              new Stopping(transaction).retire(List.of(held), notBefore(List.of(held), by));
              return saved(transaction, key, Change.RETIRED);
            });
  }

  /** Retire those schedules that are not retired yet. */
  public int retire(Transaction transaction, Collection<Long> ids, Stamp by) {
    List<Held> held =
        current(transaction, holding.byId(transaction, ids), by.at()).stream()
            .filter(one -> !one.is(ScheduleStatus.RETIRED) || one.schedule().completed())
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      new Stopping(transaction).retire(held, stamp);
    }
    return publish(transaction, held, stamp, one -> "schedule.retired", Optional.empty());
  }

  /** Pause those schedules that are active, at once or when {@code pause} begins. */
  public int pause(Transaction transaction, Collection<Long> ids, Pause pause, Stamp by) {
    List<Held> held =
        current(transaction, holding.byId(transaction, ids), by.at()).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      pause(transaction, held, pause, stamp);
    }
    String action = pause.from().isPresent() ? "schedule.pause_planned" : "schedule.paused";
    return publish(transaction, held, stamp, one -> action, Optional.of(pause.reason()));
  }

  /** Resume those schedules that are paused and can be read, and cancel coming pauses. */
  public int resume(Transaction transaction, Collection<Long> ids, Stamp by) {
    List<Held> all = current(transaction, holding.byId(transaction, ids), by.at());
    List<Held> paused =
        all.stream()
            .filter(one -> one.is(ScheduleStatus.PAUSED) && !Unreadable.is(one.definition()))
            .toList();
    List<Held> coming =
        all.stream().filter(one -> one.schedule().comingPause().isPresent()).toList();
    int changed = 0;
    if (!paused.isEmpty()) {
      changed += resume(transaction, paused, notBefore(paused, by));
    }
    if (!coming.isEmpty()) {
      Stamp stamp = notBefore(coming, by);
      new Resuming(transaction).cancel(coming, stamp);
      changed += publish(transaction, coming, stamp, one -> "schedule.resumed", Optional.empty());
    }
    return changed;
  }

  private int resume(Transaction transaction, List<Held> held, Stamp by) {
    Set<Long> completed = new Resuming(transaction).resume(held, by);
    return publish(
        transaction,
        held,
        by,
        one -> completed.contains(one.id()) ? "schedule.completed" : "schedule.resumed",
        Optional.empty());
  }

  /** Resume schedules whose pause was to end by {@code now}, up to a hundred. */
  public void resumeDue(Transaction transaction, Instant now) {
    List<Long> ids =
        transaction.query(
            "lock schedules to resume",
            """
            select id
              from carillon.schedule  -- against changes of it, which go first
             where paused_until <= :now
             order by paused_until
             limit :limit
               for update skip locked
            """,
            bind -> bind.set("now", now).set("limit", MOST_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return;
    }
    List<Held> held =
        holding.byId(transaction, ids).stream()
            .filter(one -> !Unreadable.is(one.definition()))
            .toList();
    resume(transaction, held, notBefore(held, new Stamp(now, ENGINE)));
  }

  /**
   * Begin pauses that were to begin by {@code now}, up to a hundred, of schedules whose slots
   * before are planned; return how many.
   */
  public int pauseDue(Transaction transaction, Instant now) {
    List<Long> ids =
        transaction.query(
            "lock schedules to pause",
            """
            select id
              from carillon.schedule  -- against changes of it, which go first
             where pause_from <= :now
               and status = 'active'
               and exists (select
                             from carillon.cursor
                            where schedule_id = schedule.id
                              and (next_slot is null or next_slot >= pause_from))
             order by pause_from
             limit :limit
               for update skip locked
            """,
            bind -> bind.set("now", now).set("limit", MOST_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return 0;
    }
    List<Held> held =
        holding.byId(transaction, ids).stream().filter(one -> one.pausesBy(now)).toList();
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    new Stopping(transaction).begin(held, by);
    held.forEach(
        one ->
            publish(
                transaction,
                by,
                one.key(),
                "schedule.paused",
                one.schedule().comingPause().map(Pause::reason)));
    return held.size();
  }

  /** Retire those of {@code ids} that are active and have no slot left. */
  public void complete(Transaction transaction, Collection<Long> ids, Instant now) {
    List<Long> locked = holding.lock(transaction, ids);
    var by = new Stamp(now, ENGINE);
    List<Map.Entry<Long, String>> over =
        transaction.query(
            "complete schedules",
            """
            update carillon.schedule
               set status = 'retired', completed = true, pause_from = null, coming_pause_reason = null,
                   coming_pause_until = null, updated_at = greatest(updated_at, :now), updated_by = :by
              from carillon.cursor
             where schedule.id = any(:ids)
               and schedule.status = 'active'
               and cursor.schedule_id = schedule.id
               and cursor.next_slot is null
            returning schedule.id, schedule.key
            """,
            bind -> bind.set("now", now).set("by", ENGINE).array("ids", "bigint", locked, id -> id),
            row -> Map.entry(row.number("id"), row.text("key")));
    if (over.isEmpty()) {
      return;
    }
    new ScheduleWrites(transaction)
        .retireVersions(over.stream().map(Map.Entry::getKey).toList(), now);
    AuditStore.insert(
        transaction,
        over.stream()
            .map(one -> new AuditStore.Line(one.getKey(), "schedule.completed", Map.of()))
            .toList(),
        by);
    over.forEach(
        one -> publish(transaction, by, one.getValue(), "schedule.completed", Optional.empty()));
  }

  /** Pause a schedule that failed {@code failures} times in a row, if it is active. */
  public void brake(Transaction transaction, long id, int failures, String last, Instant now) {
    List<Held> held =
        holding.byId(transaction, List.of(id)).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    if (held.isEmpty()) {
      return;
    }
    Pause pause = Grounds.braked(failures, last);
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    new Stopping(transaction).pause(held, any -> pause, by);
    publish(transaction, held, by, one -> "schedule.paused", Optional.of(pause.reason()));
  }

  /**
   * Pause a schedule that cannot be planned, so that it does not stop the others. Its definition is
   * not looked at: it may be what is wrong.
   */
  public void quarantine(Transaction transaction, long id, String problem, Instant now) {
    String reason = Grounds.unplannable(problem).reason();
    var by = new Stamp(now, ENGINE);
    List<String> keys =
        transaction.query(
            "quarantine schedule",
            """
            with stopped as (
              update carillon.cursor
                 set next_slot = null, plan_by = null
               where schedule_id = :id)
            update carillon.schedule
               set status = 'paused', pause_reason = :reason, paused_until = null,
                   pause_from = null, coming_pause_reason = null, coming_pause_until = null,
                   updated_at = greatest(updated_at, :now), updated_by = :by
             where id = :id
               and status = 'active'
            returning key
            """,
            bind -> bind.set("id", id).set("reason", reason).set("now", now).set("by", ENGINE),
            row -> row.text("key"));
    if (keys.isEmpty()) {
      return;
    }
    AuditStore.insert(
        transaction,
        List.of(new AuditStore.Line(id, "schedule.paused", Map.of("reason", reason))),
        by);
    publish(transaction, by, keys.get(0), "schedule.paused", Optional.of(reason));
  }

  private Saved saved(Transaction transaction, String key, Change change) {
    Schedule schedule = rows.find(transaction, key).orElseThrow();
    publish(
        transaction,
        schedule.updated(),
        key,
        action(change),
        schedule.pause().or(schedule::comingPause).map(Pause::reason));
    return new Saved(schedule, change);
  }

  private static String action(Change change) {
    return switch (change) {
      case CREATED -> "schedule.created";
      case NEW_VERSION -> "schedule.changed";
      case PAUSED -> "schedule.paused";
      case PAUSE_PLANNED -> "schedule.pause_planned";
      case RESUMED -> "schedule.resumed";
      case RETIRED -> "schedule.retired";
      case COMPLETED -> "schedule.completed";
      case UNCHANGED, TAKEN, STALE -> throw new IllegalArgumentException("no change: " + change);
    };
  }

  private static int publish(
      Transaction transaction,
      List<Held> held,
      Stamp by,
      Function<Held, String> action,
      Optional<String> reason) {
    held.forEach(one -> publish(transaction, by, one.key(), action.apply(one), reason));
    return held.size();
  }

  private static void publish(
      Transaction transaction, Stamp by, String key, String action, Optional<String> reason) {
    transaction.publish(new Event.Changed(by.at(), key, action, by.by(), reason));
  }

  /* Whoever waited for a lock has an older now than whoever held it; time must not go back. */
  private static Stamp notBefore(List<Held> held, Stamp by) {
    Instant latest =
        held.stream()
            .map(one -> one.schedule().updated().at())
            .filter(at -> at.isAfter(by.at()))
            .max(Instant::compareTo)
            .orElse(by.at());
    return new Stamp(latest, by.by());
  }
}
