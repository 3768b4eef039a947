package dev.carillon.store.schedule;

import dev.carillon.event.Event;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Scope;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Every change of schedules, in one transaction: the schedule, its cursor, the runs it takes back,
 * its decisions about slots, its audit entries and its events.
 *
 * <p>Locks are taken in the order schedule, cursor, run.
 */
public final class ScheduleChanges {
  private static final String ENGINE = "carillon";
  private static final int MAX_CHANGED_AT_ONCE = 100;

  /* If a decision is later by more than this, the clock was set back: what it had shown was wrong. */
  private static final Duration MAX_BEHIND = Duration.ofHours(1);

  private final Transaction tx;
  private final Scope scope;
  private final ScheduleLocks locks;
  private final ScheduleWrites writes;
  private final ScheduleEditor editor;
  private final SchedulePauser pauser;
  private final ScheduleResumer resumer;

  public ScheduleChanges(Transaction tx) {
    this(tx, Scope.ALL);
  }

  /** Change schedules that {@code scope} reaches; others are as if there were none. */
  public ScheduleChanges(Transaction tx, Scope scope) {
    this.tx = tx;
    this.scope = scope;
    this.locks = new ScheduleLocks(tx);
    this.writes = new ScheduleWrites(tx);
    var rules = new ScheduleRules(tx);
    this.editor = new ScheduleEditor(tx, rules);
    this.pauser = new SchedulePauser(tx, rules);
    this.resumer = new ScheduleResumer(tx, rules);
  }

  /** Create schedules whose keys are free, and return the keys of those. */
  public Set<String> create(Map<String, Definition> definitions, ChangedBy by) {
    definitions.forEach(scope::check);
    Set<String> created = editor.create(definitions, by);
    created.forEach(key -> publish(by, key, "schedule.created", Optional.empty()));
    return created;
  }

  /** Create a schedule, or make a new version of it if its definition differs. */
  public ChangeResult save(String key, Definition definition, ChangedBy by) {
    scope.check(key, definition);
    Optional<LockedSchedule> found = locks.byKey(key);
    if (found.isEmpty() && editor.create(Map.of(key, definition), by).contains(key)) {
      return result(key, Change.CREATED);
    }
    LockedSchedule locked = current(found.or(() -> locks.byKey(key)).orElseThrow(), by);
    if (!admits(locked)) {
      throw OutOfScopeException.takenKey();
    }
    ChangedBy changedBy = notBefore(List.of(locked), by);
    return locked.is(ScheduleStatus.RETIRED) && isOver(locked, definition, changedBy.at())
        ? unchanged(locked)
        : change(locked, definition, changedBy, Map.of());
  }

  /* A completed schedule that is saved again as it was has no slot left to fire. */
  private boolean isOver(LockedSchedule locked, Definition definition, Instant now) {
    return editor.isSame(locked, definition)
        && (!editor.hasSlots(definition, now) || definition.window().until().isBefore(now));
  }

  /**
   * Make a new version of a schedule; empty if there is none, or if it is retired.
   *
   * @param expected the version it must have, if that matters
   * @param edit makes the new definition from the current schedule
   * @param details more details for the audit
   */
  public Optional<ChangeResult> change(
      String key,
      Optional<Integer> expected,
      Function<Schedule, Definition> edit,
      ChangedBy by,
      Map<String, ?> details) {
    return byKey(key, by)
        .filter(locked -> !locked.is(ScheduleStatus.RETIRED))
        .map(
            locked ->
                locked.hasOtherVersion(expected)
                    ? new ChangeResult(locked.schedule(), Change.STALE)
                    : change(
                        locked,
                        edit.apply(locked.schedule()),
                        notBefore(List.of(locked), by),
                        details));
  }

  private boolean admits(LockedSchedule locked) {
    return scope.admits(locked.schedule());
  }

  private ChangeResult change(
      LockedSchedule locked, Definition definition, ChangedBy by, Map<String, ?> details) {
    scope.check(locked.key(), definition);
    if (!locked.is(ScheduleStatus.RETIRED) && editor.isSame(locked, definition)) {
      return unchanged(locked);
    }
    editor.change(locked, definition, by, details);
    return result(locked.key(), Change.NEW_VERSION);
  }

  /**
   * Pause a schedule, at once or when {@code pause} begins, or give a paused one another reason;
   * empty if there is none.
   */
  public Optional<ChangeResult> pause(String key, Pause pause, ChangedBy by) {
    return byKey(key, by).map(locked -> pause(locked, pause, by));
  }

  private ChangeResult pause(LockedSchedule locked, Pause pause, ChangedBy by) {
    Schedule schedule = locked.schedule();
    if (locked.is(ScheduleStatus.RETIRED)
        || schedule.pause().or(schedule::plannedPause).filter(pause::equals).isPresent()) {
      return unchanged(locked);
    }
    if (pause.from().isPresent() && locked.is(ScheduleStatus.PAUSED)) {
      throw new InvalidValueException(
          "from",
          "schedule '"
              + schedule.key()
              + "' is paused already, so no pause can begin at "
              + pause.from().get()
              + "; resume it first, or leave the beginning out");
    }
    boolean planned = pause(List.of(locked), pause, notBefore(List.of(locked), by));
    return result(schedule.key(), planned ? Change.PAUSE_PLANNED : Change.PAUSED);
  }

  /** Pause at once, or plan the pause if it has not begun, and tell which. */
  private boolean pause(List<LockedSchedule> locked, Pause pause, ChangedBy by) {
    boolean planned = pause.from().filter(from -> from.isAfter(by.at())).isPresent();
    if (planned) {
      pauser.pauseLater(locked, pause, by);
    } else {
      pauser.pause(locked, any -> pause.immediate(), by);
    }
    return planned;
  }

  private Optional<LockedSchedule> byKey(String key, ChangedBy by) {
    return locks.byKey(key).filter(this::admits).map(locked -> current(locked, by));
  }

  private LockedSchedule current(LockedSchedule locked, ChangedBy by) {
    return current(List.of(locked), by).get(0);
  }

  private Stream<LockedSchedule> byId(Collection<Long> ids, ChangedBy by) {
    return current(locks.byId(ids).stream().filter(this::admits).toList(), by).stream();
  }

  /* A pause that should have begun by now begins before the change, whether or not a node has begun it. */
  private List<LockedSchedule> current(List<LockedSchedule> locked, ChangedBy by) {
    Instant now = notBefore(locked, by).at();
    List<LockedSchedule> begin = locked.stream().filter(one -> one.pausesBy(now)).toList();
    if (begin.isEmpty()) {
      return locked;
    }
    pauser.begin(begin, byEngine(begin, now));
    return locks.byId(locked.stream().map(LockedSchedule::id).toList());
  }

  /** Resume a paused schedule, or cancel its coming pause; empty if there is none. */
  public Optional<ChangeResult> resume(String key, ChangedBy by) {
    return byKey(key, by).map(locked -> resume(locked, by));
  }

  private ChangeResult resume(LockedSchedule locked, ChangedBy by) {
    String key = locked.key();
    if (locked.schedule().plannedPause().isPresent()) {
      resumer.cancel(List.of(locked), notBefore(List.of(locked), by));
      return result(key, Change.RESUMED);
    }
    if (!locked.is(ScheduleStatus.PAUSED)) {
      return unchanged(locked);
    }
    if (!locked.isReadable()) {
      throw new InvalidValueException(
          "schedule '"
              + key
              + "' cannot be resumed: its definition "
              + locked.definition().description()
              + "; save it anew first");
    }
    Set<Long> completed = resumer.resume(List.of(locked), notBefore(List.of(locked), by));
    return result(key, completed.isEmpty() ? Change.RESUMED : Change.COMPLETED);
  }

  /**
   * Lock a schedule and its cursor against changes, planning and backfills.
   *
   * @return the schedule, and up to where its slots are runs or decisions
   */
  public Optional<Map.Entry<Schedule, Instant>> lock(String key) {
    return locks
        .byKey(key)
        .filter(this::admits)
        .map(locked -> Map.entry(locked.schedule(), locked.plannedThrough()));
  }

  /**
   * Retire a schedule; empty if there is none.
   *
   * @param expected the version it must have, if that matters
   */
  public Optional<ChangeResult> retire(String key, Optional<Integer> expected, ChangedBy by) {
    return byKey(key, by).map(locked -> retire(locked, expected, by));
  }

  private ChangeResult retire(LockedSchedule locked, Optional<Integer> expected, ChangedBy by) {
    if (locked.hasOtherVersion(expected)) {
      return new ChangeResult(locked.schedule(), Change.STALE);
    }
    if (!canRetire(locked)) {
      return unchanged(locked);
    }
    pauser.retire(List.of(locked), notBefore(List.of(locked), by));
    return result(locked.key(), Change.RETIRED);
  }

  private static boolean canRetire(LockedSchedule locked) {
    return !locked.is(ScheduleStatus.RETIRED) || locked.schedule().completed();
  }

  /** Retire the schedules that are not retired yet, and return how many. */
  public int retire(Collection<Long> ids, ChangedBy by) {
    List<LockedSchedule> locked = byId(ids, by).filter(ScheduleChanges::canRetire).toList();
    ChangedBy changedBy = notBefore(locked, by);
    if (!locked.isEmpty()) {
      pauser.retire(locked, changedBy);
    }
    return publish(locked, changedBy, one -> "schedule.retired", Optional.empty());
  }

  /** Pause the active schedules, at once or when {@code pause} begins, and return how many. */
  public int pause(Collection<Long> ids, Pause pause, ChangedBy by) {
    List<LockedSchedule> locked =
        byId(ids, by).filter(one -> one.is(ScheduleStatus.ACTIVE)).toList();
    if (locked.isEmpty()) {
      return 0;
    }
    ChangedBy changedBy = notBefore(locked, by);
    boolean planned = pause(locked, pause, changedBy);
    String action = planned ? "schedule.pause_planned" : "schedule.paused";
    return publish(locked, changedBy, one -> action, Optional.of(pause.reason()));
  }

  /** Resume the paused schedules that can be read, and cancel coming pauses; return how many. */
  public int resume(Collection<Long> ids, ChangedBy by) {
    List<LockedSchedule> all = byId(ids, by).toList();
    List<LockedSchedule> paused =
        all.stream().filter(one -> one.is(ScheduleStatus.PAUSED) && one.isReadable()).toList();
    List<LockedSchedule> coming =
        all.stream().filter(one -> one.schedule().plannedPause().isPresent()).toList();
    int changed = 0;
    if (!paused.isEmpty()) {
      changed += resume(paused, notBefore(paused, by));
    }
    if (!coming.isEmpty()) {
      ChangedBy changedBy = notBefore(coming, by);
      resumer.cancel(coming, changedBy);
      changed += publish(coming, changedBy, one -> "schedule.resumed", Optional.empty());
    }
    return changed;
  }

  private int resume(List<LockedSchedule> locked, ChangedBy by) {
    Set<Long> completed = resumer.resume(locked, by);
    return publish(
        locked,
        by,
        one -> completed.contains(one.id()) ? "schedule.completed" : "schedule.resumed",
        Optional.empty());
  }

  /** Resume up to a hundred schedules whose pause ends by {@code now}. */
  public void resumeDue(Instant now) {
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
            bind -> bind.set("now", now).set("limit", MAX_CHANGED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return;
    }
    List<LockedSchedule> locked =
        locks.byId(ids).stream().filter(LockedSchedule::isReadable).toList();
    resume(locked, byEngine(locked, now));
  }

  /** Begin up to a hundred pauses due by {@code now} whose earlier slots are planned. */
  public int pauseDue(Instant now) {
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
            bind -> bind.set("now", now).set("limit", MAX_CHANGED_AT_ONCE),
            row -> row.number("id"));
    if (ids.isEmpty()) {
      return 0;
    }
    List<LockedSchedule> locked =
        locks.byId(ids).stream().filter(one -> one.pausesBy(now)).toList();
    ChangedBy by = byEngine(locked, now);
    pauser.begin(locked, by);
    locked.forEach(
        one ->
            publish(
                by,
                one.key(),
                "schedule.paused",
                one.schedule().plannedPause().map(Pause::reason)));
    return locked.size();
  }

  /** Retire those of {@code ids} that are active and have no slot left. */
  public void complete(Collection<Long> ids, Instant now) {
    locks.lockLater(ids);
    var by = new ChangedBy(now, ENGINE);
    Map<Long, String> keys =
        tx.map(
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
            bind -> bind.set("now", now).set("by", ENGINE).array("ids", "bigint", ids, id -> id),
            row -> row.number("id"),
            row -> row.text("key"));
    if (keys.isEmpty()) {
      return;
    }
    writes.retireVersions(keys.keySet(), now);
    AuditStore.insert(
        tx,
        keys.keySet().stream()
            .map(id -> new AuditStore.Line(id, "schedule.completed", Map.of()))
            .toList(),
        by);
    keys.values().forEach(key -> publish(by, key, "schedule.completed", Optional.empty()));
  }

  /** Pause a schedule that failed {@code failures} times in a row, if it is active. */
  public void brake(long id, int failures, String last, Instant now) {
    List<LockedSchedule> locked =
        locks.byId(List.of(id)).stream().filter(one -> one.is(ScheduleStatus.ACTIVE)).toList();
    if (locked.isEmpty()) {
      return;
    }
    Pause pause = PauseReasons.braked(failures, last);
    ChangedBy by = byEngine(locked, now);
    pauser.pause(locked, any -> pause, by);
    publish(locked, by, one -> "schedule.paused", Optional.of(pause.reason()));
  }

  /** Pause a schedule that cannot be planned, without reading its definition. */
  public void quarantine(long id, String problem, Instant now) {
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
    publish(by, keys.get(0), "schedule.paused", Optional.of(reason));
  }

  private static ChangeResult unchanged(LockedSchedule locked) {
    return new ChangeResult(locked.schedule(), Change.UNCHANGED);
  }

  private ChangeResult result(String key, Change change) {
    Schedule schedule = ScheduleStore.find(tx, key).orElseThrow();
    publish(
        schedule.updated(),
        key,
        action(change),
        schedule.pause().or(schedule::plannedPause).map(Pause::reason));
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

  private int publish(
      List<LockedSchedule> locked,
      ChangedBy by,
      Function<LockedSchedule, String> action,
      Optional<String> reason) {
    locked.forEach(one -> publish(by, one.key(), action.apply(one), reason));
    return locked.size();
  }

  private void publish(ChangedBy by, String key, String action, Optional<String> reason) {
    tx.publish(new Event.Changed(by.at(), key, action, by.by(), reason));
  }

  private static ChangedBy byEngine(List<LockedSchedule> locked, Instant now) {
    return notBefore(locked, new ChangedBy(now, ENGINE));
  }

  /* A change that waited for a lock read the clock before the change or the decision it waited for; a
   * process may also not know yet that the clock was set forward. */
  static ChangedBy notBefore(List<LockedSchedule> locked, ChangedBy by) {
    Instant decidedBy = by.at().plus(MAX_BEHIND);
    Instant latest =
        locked.stream()
            .flatMap(
                one ->
                    Stream.concat(
                        Stream.of(one.schedule().updated().at()),
                        one.decidedAt().filter(decidedBy::isAfter).stream()))
            .filter(at -> at.isAfter(by.at()))
            .max(Instant::compareTo)
            .orElse(by.at());
    return new ChangedBy(latest, by.by());
  }
}
