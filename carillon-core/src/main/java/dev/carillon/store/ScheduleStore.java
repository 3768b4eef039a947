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
  public Set<String> create(Transaction tx, Map<String, Definition> definitions, Stamp by) {
    Set<String> created = new Editing(tx).create(definitions, by);
    created.forEach(key -> publish(tx, by, key, "schedule.created", Optional.empty()));
    return created;
  }

  /** Create a schedule, or make a new version of it if it says something else. */
  public Saved save(Transaction tx, String key, Definition definition, Stamp by) {
    Optional<Held> found = holding.byKey(tx, key);
    if (found.isEmpty() && new Editing(tx).create(Map.of(key, definition), by).contains(key)) {
      return saved(tx, key, Change.CREATED);
    }
    Held held = current(tx, found.or(() -> holding.byKey(tx, key)).orElseThrow(), by.at());
    Stamp stamp = notBefore(List.of(held), by);
    if (held.is(ScheduleStatus.RETIRED) && isOver(tx, held, definition, stamp.at())) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    return change(tx, held, definition, stamp, Map.of());
  }

  /* A schedule that ran its course and is saved again as it was: there is nothing to do for it. */
  private boolean isOver(Transaction tx, Held held, Definition definition, Instant now) {
    return new Editing(tx).isSame(held, definition)
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
      Transaction tx,
      String key,
      Optional<Integer> expected,
      Function<Schedule, Definition> edit,
      Stamp by,
      Map<String, ?> details) {
    return byKey(tx, key, by.at())
        .filter(held -> !held.is(ScheduleStatus.RETIRED))
        .map(
            held ->
                held.isOther(expected)
                    ? new Saved(held.schedule(), Change.STALE)
                    : change(
                        tx,
                        held,
                        edit.apply(held.schedule()),
                        notBefore(List.of(held), by),
                        details));
  }

  private Saved change(
      Transaction tx, Held held, Definition definition, Stamp by, Map<String, ?> details) {
    if (!held.is(ScheduleStatus.RETIRED) && new Editing(tx).isSame(held, definition)) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    new Editing(tx).change(held, definition, by, details);
    return saved(tx, held.key(), Change.NEW_VERSION);
  }

  /**
   * Pause a schedule, at once or when {@code pause} begins, or give a paused one another reason;
   * empty if there is none.
   */
  public Optional<Saved> pause(Transaction tx, String key, Pause pause, Stamp by) {
    return byKey(tx, key, by.at())
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
              pause(tx, List.of(held), pause, notBefore(List.of(held), by));
              return saved(
                  tx, key, pause.from().isPresent() ? Change.PAUSE_PLANNED : Change.PAUSED);
            });
  }

  private void pause(Transaction tx, List<Held> held, Pause pause, Stamp by) {
    if (pause.from().isPresent()) {
      new Stopping(tx).pauseLater(held, pause, by);
    } else {
      new Stopping(tx).pause(held, any -> pause, by);
    }
  }

  private Optional<Held> byKey(Transaction tx, String key, Instant now) {
    return holding.byKey(tx, key).map(held -> current(tx, held, now));
  }

  private Held current(Transaction tx, Held held, Instant now) {
    return current(tx, List.of(held), now).get(0);
  }

  /* A pause that was to begin by now has begun for whoever changes the schedule, too. */
  private List<Held> current(Transaction tx, List<Held> held, Instant now) {
    List<Held> begin = held.stream().filter(one -> one.pausesBy(now)).toList();
    if (begin.isEmpty()) {
      return held;
    }
    new Stopping(tx).begin(begin, notBefore(begin, new Stamp(now, ENGINE)));
    return holding.byId(tx, held.stream().map(Held::id).toList());
  }

  /** Resume a paused schedule, or cancel its coming pause; empty if there is none. */
  public Optional<Saved> resume(Transaction tx, String key, Stamp by) {
    return byKey(tx, key, by.at())
        .map(
            held -> {
              if (held.schedule().comingPause().isPresent()) {
                new Resuming(tx).cancel(List.of(held), notBefore(List.of(held), by));
                return saved(tx, key, Change.RESUMED);
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
                  !new Resuming(tx).resume(List.of(held), notBefore(List.of(held), by)).isEmpty();
              return saved(tx, key, over ? Change.COMPLETED : Change.RESUMED);
            });
  }

  /**
   * Lock a schedule and its cursor, so that nobody changes, plans or backfills it meanwhile.
   *
   * @return how it stands, and up to where its slots are runs or decisions
   */
  public Optional<Map.Entry<Schedule, Instant>> hold(Transaction tx, String key) {
    return holding.byKey(tx, key).map(held -> Map.entry(held.schedule(), held.plannedThrough()));
  }

  /**
   * Retire a schedule; empty if there is none.
   *
   * @param expected the version it must have, if that matters
   */
  public Optional<Saved> retire(Transaction tx, String key, Optional<Integer> expected, Stamp by) {
    return byKey(tx, key, by.at())
        .map(
            held -> {
              if (held.isOther(expected)) {
                return new Saved(held.schedule(), Change.STALE);
              }
              if (held.is(ScheduleStatus.RETIRED) && !held.schedule().completed()) {
                return new Saved(held.schedule(), Change.UNCHANGED);
              }
              new Stopping(tx).retire(List.of(held), notBefore(List.of(held), by));
              return saved(tx, key, Change.RETIRED);
            });
  }

  /** Retire those schedules that are not retired yet. */
  public int retire(Transaction tx, Collection<Long> ids, Stamp by) {
    List<Held> held =
        current(tx, holding.byId(tx, ids), by.at()).stream()
            .filter(one -> !one.is(ScheduleStatus.RETIRED) || one.schedule().completed())
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      new Stopping(tx).retire(held, stamp);
    }
    return publish(tx, held, stamp, one -> "schedule.retired", Optional.empty());
  }

  /** Pause those schedules that are active, at once or when {@code pause} begins. */
  public int pause(Transaction tx, Collection<Long> ids, Pause pause, Stamp by) {
    List<Held> held =
        current(tx, holding.byId(tx, ids), by.at()).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      pause(tx, held, pause, stamp);
    }
    String action = pause.from().isPresent() ? "schedule.pause_planned" : "schedule.paused";
    return publish(tx, held, stamp, one -> action, Optional.of(pause.reason()));
  }

  /** Resume those schedules that are paused and can be read, and cancel coming pauses. */
  public int resume(Transaction tx, Collection<Long> ids, Stamp by) {
    List<Held> all = current(tx, holding.byId(tx, ids), by.at());
    List<Held> paused =
        all.stream()
            .filter(one -> one.is(ScheduleStatus.PAUSED) && !Unreadable.is(one.definition()))
            .toList();
    List<Held> coming =
        all.stream().filter(one -> one.schedule().comingPause().isPresent()).toList();
    int changed = 0;
    if (!paused.isEmpty()) {
      changed += resume(tx, paused, notBefore(paused, by));
    }
    if (!coming.isEmpty()) {
      Stamp stamp = notBefore(coming, by);
      new Resuming(tx).cancel(coming, stamp);
      changed += publish(tx, coming, stamp, one -> "schedule.resumed", Optional.empty());
    }
    return changed;
  }

  private int resume(Transaction tx, List<Held> held, Stamp by) {
    Set<Long> completed = new Resuming(tx).resume(held, by);
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
            bind -> bind.set("now", now).set("limit", MOST_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return;
    }
    List<Held> held =
        holding.byId(tx, ids).stream().filter(one -> !Unreadable.is(one.definition())).toList();
    resume(tx, held, notBefore(held, new Stamp(now, ENGINE)));
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
            bind -> bind.set("now", now).set("limit", MOST_RESUMED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return 0;
    }
    List<Held> held = holding.byId(tx, ids).stream().filter(one -> one.pausesBy(now)).toList();
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    new Stopping(tx).begin(held, by);
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
    List<Long> locked = holding.lock(tx, ids);
    var by = new Stamp(now, ENGINE);
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
    List<Held> held =
        holding.byId(tx, List.of(id)).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    if (held.isEmpty()) {
      return;
    }
    Pause pause = Grounds.braked(failures, last);
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    new Stopping(tx).pause(held, any -> pause, by);
    publish(tx, held, by, one -> "schedule.paused", Optional.of(pause.reason()));
  }

  /**
   * Pause a schedule that cannot be planned, so that it does not stop the others. Its definition is
   * not looked at: it may be what is wrong.
   */
  public void quarantine(Transaction tx, long id, String problem, Instant now) {
    String reason = Grounds.unplannable(problem).reason();
    var by = new Stamp(now, ENGINE);
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

  private Saved saved(Transaction tx, String key, Change change) {
    Schedule schedule = rows.find(tx, key).orElseThrow();
    publish(
        tx,
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
      Transaction tx,
      List<Held> held,
      Stamp by,
      Function<Held, String> action,
      Optional<String> reason) {
    held.forEach(one -> publish(tx, by, one.key(), action.apply(one), reason));
    return held.size();
  }

  private static void publish(
      Transaction tx, Stamp by, String key, String action, Optional<String> reason) {
    tx.publish(new Event.Changed(by.at(), key, action, by.by(), reason));
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
