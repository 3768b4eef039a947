package dev.carillon.store.schedule;

import dev.carillon.event.Event;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.plan.Planner;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
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
  private static final int MAX_RESUMED_AT_ONCE = 100;

  private final Database database;
  private final ScheduleRows rows;
  private final ScheduleLocks locks = new ScheduleLocks();

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
  public Set<String> create(Transaction tx, Map<String, Definition> definitions, ChangedBy by) {
    Set<String> created = new ScheduleEditor(tx).create(definitions, by);
    created.forEach(key -> publish(tx, by, key, "schedule.created", Optional.empty()));
    return created;
  }

  /** Create a schedule, or make a new version of it if it says something else. */
  public ChangeResult save(Transaction tx, String key, Definition definition, ChangedBy by) {
    Optional<LockedSchedule> found = locks.byKey(tx, key);
    if (found.isEmpty()
        && new ScheduleEditor(tx).create(Map.of(key, definition), by).contains(key)) {
      return saved(tx, key, Change.CREATED);
    }
    LockedSchedule locked =
        current(tx, found.or(() -> locks.byKey(tx, key)).orElseThrow(), by.at());
    ChangedBy changedBy = notBefore(List.of(locked), by);
    if (locked.is(ScheduleStatus.RETIRED) && isOver(tx, locked, definition, changedBy.at())) {
      return new ChangeResult(locked.schedule(), Change.UNCHANGED);
    }
    return change(tx, locked, definition, changedBy, Map.of());
  }

  /* A schedule that ran its course and is saved again as it was: there is nothing to do for it. */
  private boolean isOver(
      Transaction tx, LockedSchedule locked, Definition definition, Instant now) {
    return new ScheduleEditor(tx).isSame(locked, definition)
        && (Planner.next(definition, now).isEmpty() || definition.window().until().isBefore(now));
  }

  /**
   * Make a new version of a schedule that is not retired; empty if there is none such.
   *
   * @param expected the version it must have, if that matters
   * @param edit makes the new definition of the schedule as it stands
   * @param details more to say in the audit
   */
  public Optional<ChangeResult> change(
      Transaction tx,
      String key,
      Optional<Integer> expected,
      Function<Schedule, Definition> edit,
      ChangedBy by,
      Map<String, ?> details) {
    return byKey(tx, key, by.at())
        .filter(locked -> !locked.is(ScheduleStatus.RETIRED))
        .map(
            locked ->
                locked.isOther(expected)
                    ? new ChangeResult(locked.schedule(), Change.STALE)
                    : change(
                        tx,
                        locked,
                        edit.apply(locked.schedule()),
                        notBefore(List.of(locked), by),
                        details));
  }

  private ChangeResult change(
      Transaction tx,
      LockedSchedule locked,
      Definition definition,
      ChangedBy by,
      Map<String, ?> details) {
    if (!locked.is(ScheduleStatus.RETIRED) && new ScheduleEditor(tx).isSame(locked, definition)) {
      return new ChangeResult(locked.schedule(), Change.UNCHANGED);
    }
    new ScheduleEditor(tx).change(locked, definition, by, details);
    return saved(tx, locked.key(), Change.NEW_VERSION);
  }

  /**
   * Pause a schedule, at once or when {@code pause} begins, or give a paused one another reason;
   * empty if there is none.
   */
  public Optional<ChangeResult> pause(Transaction tx, String key, Pause pause, ChangedBy by) {
    return byKey(tx, key, by.at())
        .map(
            locked -> {
              Schedule schedule = locked.schedule();
              if (locked.is(ScheduleStatus.RETIRED)
                  || schedule.pause().or(schedule::comingPause).filter(pause::equals).isPresent()) {
                return new ChangeResult(schedule, Change.UNCHANGED);
              }
              if (pause.from().isPresent() && locked.is(ScheduleStatus.PAUSED)) {
                throw new InvalidValueException(
                    "from",
                    "schedule '"
                        + key
                        + "' is paused already, so no pause can begin at "
                        + pause.from().get()
                        + "; resume it first, or leave the beginning out");
              }
              pause(tx, List.of(locked), pause, notBefore(List.of(locked), by));
              return saved(
                  tx, key, pause.from().isPresent() ? Change.PAUSE_PLANNED : Change.PAUSED);
            });
  }

  private void pause(Transaction tx, List<LockedSchedule> held, Pause pause, ChangedBy by) {
    if (pause.from().isPresent()) {
      new SchedulePauser(tx).pauseLater(held, pause, by);
    } else {
      new SchedulePauser(tx).pause(held, any -> pause, by);
    }
  }

  private Optional<LockedSchedule> byKey(Transaction tx, String key, Instant now) {
    return locks.byKey(tx, key).map(locked -> current(tx, locked, now));
  }

  private LockedSchedule current(Transaction tx, LockedSchedule locked, Instant now) {
    return current(tx, List.of(locked), now).get(0);
  }

  /* A pause that was to begin by now has begun for whoever changes the schedule, too. */
  private List<LockedSchedule> current(Transaction tx, List<LockedSchedule> held, Instant now) {
    List<LockedSchedule> begin = held.stream().filter(one -> one.pausesBy(now)).toList();
    if (begin.isEmpty()) {
      return held;
    }
    new SchedulePauser(tx).begin(begin, notBefore(begin, new ChangedBy(now, ENGINE)));
    return locks.byId(tx, held.stream().map(LockedSchedule::id).toList());
  }

  /** Resume a paused schedule, or cancel its coming pause; empty if there is none. */
  public Optional<ChangeResult> resume(Transaction tx, String key, ChangedBy by) {
    return byKey(tx, key, by.at())
        .map(
            locked -> {
              if (locked.schedule().comingPause().isPresent()) {
                new ScheduleResumer(tx).cancel(List.of(locked), notBefore(List.of(locked), by));
                return saved(tx, key, Change.RESUMED);
              }
              if (!locked.is(ScheduleStatus.PAUSED)) {
                return new ChangeResult(locked.schedule(), Change.UNCHANGED);
              }
              if (UnreadableDefinition.is(locked.definition())) {
                throw new InvalidValueException(
                    "schedule '"
                        + key
                        + "' cannot be resumed: its definition "
                        + locked.definition().description()
                        + "; save it anew first");
              }
              boolean over =
                  !new ScheduleResumer(tx)
                      .resume(List.of(locked), notBefore(List.of(locked), by))
                      .isEmpty();
              return saved(tx, key, over ? Change.COMPLETED : Change.RESUMED);
            });
  }

  /**
   * Lock a schedule and its cursor, so that nobody changes, plans or backfills it meanwhile.
   *
   * @return how it stands, and up to where its slots are runs or decisions
   */
  public Optional<Map.Entry<Schedule, Instant>> hold(Transaction tx, String key) {
    return locks
        .byKey(tx, key)
        .map(locked -> Map.entry(locked.schedule(), locked.plannedThrough()));
  }

  /**
   * Retire a schedule; empty if there is none.
   *
   * @param expected the version it must have, if that matters
   */
  public Optional<ChangeResult> retire(
      Transaction tx, String key, Optional<Integer> expected, ChangedBy by) {
    return byKey(tx, key, by.at())
        .map(
            locked -> {
              if (locked.isOther(expected)) {
                return new ChangeResult(locked.schedule(), Change.STALE);
              }
              if (locked.is(ScheduleStatus.RETIRED) && !locked.schedule().completed()) {
                return new ChangeResult(locked.schedule(), Change.UNCHANGED);
              }
              new SchedulePauser(tx).retire(List.of(locked), notBefore(List.of(locked), by));
              return saved(tx, key, Change.RETIRED);
            });
  }

  /** Retire those schedules that are not retired yet. */
  public int retire(Transaction tx, Collection<Long> ids, ChangedBy by) {
    List<LockedSchedule> held =
        current(tx, locks.byId(tx, ids), by.at()).stream()
            .filter(one -> !one.is(ScheduleStatus.RETIRED) || one.schedule().completed())
            .toList();
    ChangedBy changedBy = notBefore(held, by);
    if (!held.isEmpty()) {
      new SchedulePauser(tx).retire(held, changedBy);
    }
    return publish(tx, held, changedBy, one -> "schedule.retired", Optional.empty());
  }

  /** Pause those schedules that are active, at once or when {@code pause} begins. */
  public int pause(Transaction tx, Collection<Long> ids, Pause pause, ChangedBy by) {
    List<LockedSchedule> held =
        current(tx, locks.byId(tx, ids), by.at()).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    ChangedBy changedBy = notBefore(held, by);
    if (!held.isEmpty()) {
      pause(tx, held, pause, changedBy);
    }
    String action = pause.from().isPresent() ? "schedule.pause_planned" : "schedule.paused";
    return publish(tx, held, changedBy, one -> action, Optional.of(pause.reason()));
  }

  /** Resume those schedules that are paused and can be read, and cancel coming pauses. */
  public int resume(Transaction tx, Collection<Long> ids, ChangedBy by) {
    List<LockedSchedule> all = current(tx, locks.byId(tx, ids), by.at());
    List<LockedSchedule> paused =
        all.stream()
            .filter(
                one -> one.is(ScheduleStatus.PAUSED) && !UnreadableDefinition.is(one.definition()))
            .toList();
    List<LockedSchedule> coming =
        all.stream().filter(one -> one.schedule().comingPause().isPresent()).toList();
    int changed = 0;
    if (!paused.isEmpty()) {
      changed += resume(tx, paused, notBefore(paused, by));
    }
    if (!coming.isEmpty()) {
      ChangedBy changedBy = notBefore(coming, by);
      new ScheduleResumer(tx).cancel(coming, changedBy);
      changed += publish(tx, coming, changedBy, one -> "schedule.resumed", Optional.empty());
    }
    return changed;
  }

  private int resume(Transaction tx, List<LockedSchedule> held, ChangedBy by) {
    Set<Long> completed = new ScheduleResumer(tx).resume(held, by);
    return publish(
        tx,
        held,
        by,
        one -> completed.contains(one.id()) ? "schedule.completed" : "schedule.resumed",
        Optional.empty());
  }

  /** Resume schedules whose pause was to end by {@code now}, up to a hundred. */
  public void resumeDue(Transaction tx, Instant now) {
    List<Long> ids =
        tx.query(
            "lock schedules to resume",
            """
            select id
              from carillon.schedule  -- against changes of it, which go first
             where paused_until <= :now
             order by paused_until
             limit :limit
               for update skip locked
            """,
            bind -> bind.set("now", now).set("limit", MAX_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return;
    }
    List<LockedSchedule> held =
        locks.byId(tx, ids).stream()
            .filter(one -> !UnreadableDefinition.is(one.definition()))
            .toList();
    resume(tx, held, notBefore(held, new ChangedBy(now, ENGINE)));
  }

  /**
   * Begin pauses that were to begin by {@code now}, up to a hundred, of schedules whose slots
   * before are planned; return how many.
   */
  public int pauseDue(Transaction tx, Instant now) {
    List<Long> ids =
        tx.query(
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
            bind -> bind.set("now", now).set("limit", MAX_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return 0;
    }
    List<LockedSchedule> held =
        locks.byId(tx, ids).stream().filter(one -> one.pausesBy(now)).toList();
    ChangedBy by = notBefore(held, new ChangedBy(now, ENGINE));
    new SchedulePauser(tx).begin(held, by);
    held.forEach(
        one ->
            publish(
                tx,
                by,
                one.key(),
                "schedule.paused",
                one.schedule().comingPause().map(Pause::reason)));
    return held.size();
  }

  /** Retire those of {@code ids} that are active and have no slot left. */
  public void complete(Transaction tx, Collection<Long> ids, Instant now) {
    List<Long> locked = locks.lock(tx, ids);
    var by = new ChangedBy(now, ENGINE);
    List<Map.Entry<Long, String>> over =
        tx.query(
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
    new ScheduleWrites(tx).retireVersions(over.stream().map(Map.Entry::getKey).toList(), now);
    AuditStore.insert(
        tx,
        over.stream()
            .map(one -> new AuditStore.Line(one.getKey(), "schedule.completed", Map.of()))
            .toList(),
        by);
    over.forEach(one -> publish(tx, by, one.getValue(), "schedule.completed", Optional.empty()));
  }

  /** Pause a schedule that failed {@code failures} times in a row, if it is active. */
  public void brake(Transaction tx, long id, int failures, String last, Instant now) {
    List<LockedSchedule> held =
        locks.byId(tx, List.of(id)).stream().filter(one -> one.is(ScheduleStatus.ACTIVE)).toList();
    if (held.isEmpty()) {
      return;
    }
    Pause pause = PauseReasons.braked(failures, last);
    ChangedBy by = notBefore(held, new ChangedBy(now, ENGINE));
    new SchedulePauser(tx).pause(held, any -> pause, by);
    publish(tx, held, by, one -> "schedule.paused", Optional.of(pause.reason()));
  }

  /**
   * Pause a schedule that cannot be planned, so that it does not stop the others. Its definition is
   * not looked at: it may be what is wrong.
   */
  public void quarantine(Transaction tx, long id, String problem, Instant now) {
    String reason = PauseReasons.unplannable(problem).reason();
    var by = new ChangedBy(now, ENGINE);
    List<String> keys =
        tx.query(
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
        tx, List.of(new AuditStore.Line(id, "schedule.paused", Map.of("reason", reason))), by);
    publish(tx, by, keys.get(0), "schedule.paused", Optional.of(reason));
  }

  private ChangeResult saved(Transaction tx, String key, Change change) {
    Schedule schedule = rows.find(tx, key).orElseThrow();
    publish(
        tx,
        schedule.updated(),
        key,
        action(change),
        schedule.pause().or(schedule::comingPause).map(Pause::reason));
    return new ChangeResult(schedule, change);
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
      Transaction tx,
      List<LockedSchedule> held,
      ChangedBy by,
      Function<LockedSchedule, String> action,
      Optional<String> reason) {
    held.forEach(one -> publish(tx, by, one.key(), action.apply(one), reason));
    return held.size();
  }

  private static void publish(
      Transaction tx, ChangedBy by, String key, String action, Optional<String> reason) {
    tx.publish(new Event.Changed(by.at(), key, action, by.by(), reason));
  }

  /* Whoever waited for a lock has an older now than whoever held it; time must not go back. */
  private static ChangedBy notBefore(List<LockedSchedule> held, ChangedBy by) {
    Instant latest =
        held.stream()
            .map(one -> one.schedule().updated().at())
            .filter(at -> at.isAfter(by.at()))
            .max(Instant::compareTo)
            .orElse(by.at());
    return new ChangedBy(latest, by.by());
  }
}
