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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Schedules, their versions, and every change of them.
 *
 * <p>A change is one transaction, which the caller opens: the schedule, its cursor, the runs it
 * takes back, what it decides about slots, and the audit of it are kept together or not at all.
 * Locks are taken in the order schedule, cursor, run.
 */
public final class ScheduleStore {
  private static final String ENGINE = "carillon";
  private static final int MOST_RESUMED_AT_ONCE = 100;

  private final Database database;
  private final ScheduleRows rows;
  private final Holding holding;
  private final ScheduleWrites writes;
  private final Editing editing;
  private final Stopping stopping;
  private final Resuming resuming;
  private final AuditStore audit;

  public ScheduleStore(Database database) {
    this.database = database;
    this.rows = new ScheduleRows(database);
    this.holding = new Holding(database);
    this.writes = new ScheduleWrites(database);
    this.editing = new Editing(database);
    this.stopping = new Stopping(database);
    this.resuming = new Resuming(database);
    this.audit = new AuditStore(database);
  }

  /** Find a schedule by its key. */
  public Optional<Schedule> find(String key) {
    return rows.find(key);
  }

  /** Find a schedule by its number. */
  public Optional<Schedule> find(long id) {
    return rows.find(id);
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
  public Optional<ScheduleVersion> version(String key, int version) {
    return rows.version(key, version);
  }

  /** Create schedules whose keys are free, and return the keys of those. */
  public Set<String> create(Map<String, Definition> definitions, Stamp by) {
    return editing.create(definitions, by);
  }

  /** Create a schedule, or make a new version of it if it says something else. */
  public Saved save(String key, Definition definition, Stamp by) {
    Optional<Held> found = holding.byKey(key);
    if (found.isEmpty() && editing.create(Map.of(key, definition), by).contains(key)) {
      return saved(key, Change.CREATED);
    }
    Held held = current(found.or(() -> holding.byKey(key)).orElseThrow(), by.at());
    Stamp stamp = notBefore(List.of(held), by);
    if (held.is(ScheduleStatus.RETIRED) && isOver(held, definition, stamp.at())) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    return change(held, definition, stamp, Map.of());
  }

  /* A schedule that ran its course and is saved again as it was: there is nothing to do for it. */
  private boolean isOver(Held held, Definition definition, Instant now) {
    return editing.isSame(held, definition)
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
      String key,
      Optional<Integer> expected,
      Function<Schedule, Definition> edit,
      Stamp by,
      Map<String, ?> details) {
    return byKey(key, by.at())
        .filter(held -> !held.is(ScheduleStatus.RETIRED))
        .map(
            held ->
                held.isOther(expected)
                    ? new Saved(held.schedule(), Change.STALE)
                    : change(
                        held, edit.apply(held.schedule()), notBefore(List.of(held), by), details));
  }

  private Saved change(Held held, Definition definition, Stamp by, Map<String, ?> details) {
    if (!held.is(ScheduleStatus.RETIRED) && editing.isSame(held, definition)) {
      return new Saved(held.schedule(), Change.UNCHANGED);
    }
    editing.change(held, definition, by, details);
    return saved(held.key(), Change.NEW_VERSION);
  }

  /**
   * Pause a schedule, at once or when {@code pause} begins, or give a paused one another reason;
   * empty if there is none.
   */
  public Optional<Saved> pause(String key, Pause pause, Stamp by) {
    return byKey(key, by.at())
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
              pause(List.of(held), pause, notBefore(List.of(held), by));
              return saved(key, pause.from().isPresent() ? Change.PAUSE_PLANNED : Change.PAUSED);
            });
  }

  private void pause(List<Held> held, Pause pause, Stamp by) {
    if (pause.from().isPresent()) {
      stopping.pauseLater(held, pause, by);
    } else {
      stopping.pause(held, any -> pause, by);
    }
  }

  private Optional<Held> byKey(String key, Instant now) {
    return holding.byKey(key).map(held -> current(held, now));
  }

  private Held current(Held held, Instant now) {
    return current(List.of(held), now).get(0);
  }

  /* A pause that was to begin by now has begun for whoever changes the schedule, too. */
  private List<Held> current(List<Held> held, Instant now) {
    List<Held> begin = held.stream().filter(one -> one.pausesBy(now)).toList();
    if (begin.isEmpty()) {
      return held;
    }
    stopping.begin(begin, notBefore(begin, new Stamp(now, ENGINE)));
    return holding.byId(held.stream().map(Held::id).toList());
  }

  /** Resume a paused schedule, or cancel its coming pause; empty if there is none. */
  public Optional<Saved> resume(String key, Stamp by) {
    return byKey(key, by.at())
        .map(
            held -> {
              if (held.schedule().comingPause().isPresent()) {
                resuming.cancel(List.of(held), notBefore(List.of(held), by));
                return saved(key, Change.RESUMED);
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
                  !resuming.resume(List.of(held), notBefore(List.of(held), by)).isEmpty();
              return saved(key, over ? Change.COMPLETED : Change.RESUMED);
            });
  }

  /**
   * Lock a schedule and its cursor, so that nobody changes, plans or backfills it meanwhile.
   *
   * @return how it stands, and up to where its slots are runs or decisions
   */
  public Optional<Map.Entry<Schedule, Instant>> hold(String key) {
    return holding.byKey(key).map(held -> Map.entry(held.schedule(), held.plannedThrough()));
  }

  /**
   * Retire a schedule; empty if there is none.
   *
   * @param expected the version it must have, if that matters
   */
  public Optional<Saved> retire(String key, Optional<Integer> expected, Stamp by) {
    return byKey(key, by.at())
        .map(
            held -> {
              if (held.isOther(expected)) {
                return new Saved(held.schedule(), Change.STALE);
              }
              if (held.is(ScheduleStatus.RETIRED) && !held.schedule().completed()) {
                return new Saved(held.schedule(), Change.UNCHANGED);
              }
              stopping.retire(List.of(held), notBefore(List.of(held), by));
              return saved(key, Change.RETIRED);
            });
  }

  /** Retire those schedules that are not retired yet. */
  public List<Event.Changed> retire(Collection<Long> ids, Stamp by) {
    List<Held> held =
        current(holding.byId(ids), by.at()).stream()
            .filter(one -> !one.is(ScheduleStatus.RETIRED) || one.schedule().completed())
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      stopping.retire(held, stamp);
    }
    return held.stream()
        .map(one -> changed(stamp, one.key(), "schedule.retired", Optional.empty()))
        .toList();
  }

  /** Pause those schedules that are active, at once or when {@code pause} begins. */
  public List<Event.Changed> pause(Collection<Long> ids, Pause pause, Stamp by) {
    List<Held> held =
        current(holding.byId(ids), by.at()).stream()
            .filter(one -> one.is(ScheduleStatus.ACTIVE))
            .toList();
    Stamp stamp = notBefore(held, by);
    if (!held.isEmpty()) {
      pause(held, pause, stamp);
    }
    String action = pause.from().isPresent() ? "schedule.pause_planned" : "schedule.paused";
    return held.stream()
        .map(one -> changed(stamp, one.key(), action, Optional.of(pause.reason())))
        .toList();
  }

  /** Resume those schedules that are paused and can be read, and cancel coming pauses. */
  public List<Event.Changed> resume(Collection<Long> ids, Stamp by) {
    List<Held> all = current(holding.byId(ids), by.at());
    List<Held> paused =
        all.stream()
            .filter(one -> one.is(ScheduleStatus.PAUSED) && !Unreadable.is(one.definition()))
            .toList();
    List<Held> coming =
        all.stream().filter(one -> one.schedule().comingPause().isPresent()).toList();
    var changed = new ArrayList<Event.Changed>();
    if (!paused.isEmpty()) {
      changed.addAll(resume(paused, notBefore(paused, by)));
    }
    if (!coming.isEmpty()) {
      Stamp stamp = notBefore(coming, by);
      resuming.cancel(coming, stamp);
      coming.forEach(
          one -> changed.add(changed(stamp, one.key(), "schedule.resumed", Optional.empty())));
    }
    return changed;
  }

  private List<Event.Changed> resume(List<Held> held, Stamp by) {
    Set<Long> completed = resuming.resume(held, by);
    return held.stream()
        .map(
            one ->
                changed(
                    by,
                    one.key(),
                    completed.contains(one.id()) ? "schedule.completed" : "schedule.resumed",
                    Optional.empty()))
        .toList();
  }

  /** Resume schedules whose pause was to end by {@code now}, up to a hundred. */
  public List<Event.Changed> resumeDue(Instant now) {
    List<Long> ids =
        database.query(
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
      return List.of();
    }
    List<Held> held =
        holding.byId(ids).stream().filter(one -> !Unreadable.is(one.definition())).toList();
    return resume(held, notBefore(held, new Stamp(now, ENGINE)));
  }

  /**
   * Begin pauses that were to begin by {@code now}, up to a hundred, of schedules whose slots
   * before are planned.
   */
  public List<Event.Changed> pauseDue(Instant now) {
    List<Long> ids =
        database.query(
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
      return List.of();
    }
    List<Held> held = holding.byId(ids).stream().filter(one -> one.pausesBy(now)).toList();
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    stopping.begin(held, by);
    return held.stream()
        .map(
            one ->
                changed(
                    by,
                    one.key(),
                    "schedule.paused",
                    one.schedule().comingPause().map(Pause::reason)))
        .toList();
  }

  /** Retire those of {@code ids} that are active and have no slot left. */
  public List<Event.Changed> complete(Collection<Long> ids, Instant now) {
    List<Long> locked = holding.lock(ids);
    var by = new Stamp(now, ENGINE);
    List<Map.Entry<Long, String>> over =
        database.query(
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
      return List.of();
    }
    writes.retireVersions(over.stream().map(Map.Entry::getKey).toList(), now);
    audit.insert(
        over.stream()
            .map(one -> new AuditStore.Line(one.getKey(), "schedule.completed", Map.of()))
            .toList(),
        by);
    return over.stream()
        .map(one -> changed(by, one.getValue(), "schedule.completed", Optional.empty()))
        .toList();
  }

  /** Pause a schedule that failed {@code failures} times in a row, if it is active. */
  public Optional<Event.Changed> brake(long id, int failures, String last, Instant now) {
    List<Held> held =
        holding.byId(List.of(id)).stream().filter(one -> one.is(ScheduleStatus.ACTIVE)).toList();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    Pause pause = Grounds.braked(failures, last);
    Stamp by = notBefore(held, new Stamp(now, ENGINE));
    stopping.pause(held, any -> pause, by);
    return Optional.of(
        changed(by, held.get(0).key(), "schedule.paused", Optional.of(pause.reason())));
  }

  /**
   * Pause a schedule that cannot be planned, so that it does not stop the others. Its definition is
   * not looked at: it may be what is wrong.
   */
  public Optional<Event.Changed> quarantine(long id, String problem, Instant now) {
    String reason = Grounds.unplannable(problem).reason();
    var by = new Stamp(now, ENGINE);
    List<String> keys =
        database.query(
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
      return Optional.empty();
    }
    audit.insert(List.of(new AuditStore.Line(id, "schedule.paused", Map.of("reason", reason))), by);
    return Optional.of(changed(by, keys.get(0), "schedule.paused", Optional.of(reason)));
  }

  private Saved saved(String key, Change change) {
    return new Saved(rows.find(key).orElseThrow(), change);
  }

  private static Event.Changed changed(
      Stamp by, String key, String action, Optional<String> reason) {
    return new Event.Changed(by.at(), key, action, by.by(), reason);
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
