package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.AuditFilter;
import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DryRun;
import dev.carillon.model.Explanation;
import dev.carillon.model.LoadForecast;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Page;
import dev.carillon.model.Pause;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.Run;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleFilter;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.Scope;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.TimingFire;
import dev.carillon.model.UpcomingSlot;
import dev.carillon.model.VersionFilter;
import dev.carillon.plan.Preview;
import dev.carillon.plan.ScheduleProgress;
import dev.carillon.plan.TimingFires;
import dev.carillon.policy.Overlap;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore;
import dev.carillon.store.schedule.DecisionStore;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.store.schedule.ScheduleProgressStore;
import dev.carillon.store.schedule.ScheduleStore;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Lint;
import dev.carillon.time.Timing;
import dev.carillon.time.Warning;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The schedules of a cluster: defining, finding, pausing and retiring them.
 *
 * <p>What returned is durable. What does not exist is an empty answer; what makes no sense is an
 * {@link IllegalArgumentException} that names the value and the cure.
 */
public final class Schedules {
  /** The most slots of one preview. */
  public static final int MAX_PREVIEW = 1_000;

  /** The most lines of one answer about decisions or audit. */
  public static final int MAX_LIST = 1_000;

  /** The longest period of one forecast. */
  public static final Duration MAX_FORECAST = Duration.ofDays(7);

  private static final String DEFAULT_ACTOR = "java";

  private final Database database;
  private final ScheduleStore store;
  private final InstantSource clock;
  private final PlanningWakeUp wakeUp;
  private final DraftSaver draftSaver;
  private final RunRequests requests;
  private final Fires fires;
  private final RuleBooks ruleBooks;
  private final ScheduleSettings settings;
  private final String actor;
  private final Scope scope;

  /* The database publishes every change that is durable; the clock is that of the database. */
  Schedules(
      Database database,
      InstantSource clock,
      ScheduleSettings settings,
      Runnable wakeUp,
      RunStore runs) {
    this.database = database;
    this.store = new ScheduleStore(database);
    this.clock = clock;
    this.wakeUp = new PlanningWakeUp(wakeUp);
    this.draftSaver =
        new DraftSaver(database, settings.allowedReferences(), settings.defaults(), this.wakeUp);
    this.requests = new RunRequests(runs, Scope.ALL);
    this.fires = new Fires(database);
    this.ruleBooks = new RuleBooks();
    this.settings = settings;
    this.actor = DEFAULT_ACTOR;
    this.scope = Scope.ALL;
  }

  private Schedules(Schedules same, Transaction tx) {
    this.database = same.database.within(tx);
    this.store = new ScheduleStore(database);
    this.clock = same.clock;
    this.wakeUp = same.wakeUp.in(tx);
    this.draftSaver = same.draftSaver.in(tx);
    this.requests = same.requests;
    this.fires = new Fires(database);
    this.ruleBooks = new RuleBooks();
    this.settings = same.settings;
    this.actor = same.actor;
    this.scope = same.scope;
  }

  private Schedules(Schedules same, String actor, Scope scope) {
    this.database = same.database;
    this.store = same.store;
    this.clock = same.clock;
    this.wakeUp = same.wakeUp;
    this.draftSaver = same.draftSaver.within(scope);
    this.requests = same.requests.within(scope);
    this.fires = same.fires;
    this.ruleBooks = same.ruleBooks;
    this.settings = same.settings;
    this.actor = actor;
    this.scope = scope;
  }

  /** Return the same schedules, whose changes are recorded as those of {@code actor}. */
  public Schedules as(String actor) {
    return new Schedules(this, ScheduleLimits.actor(actor), scope);
  }

  /**
   * Return those of the schedules that {@code reached} reaches; others are as if there were none.
   * To make or change one so that it is not reached is an {@link OutOfScopeException}.
   */
  public Schedules within(Scope reached) {
    return new Schedules(this, actor, reached);
  }

  /** Return the same schedules as part of {@code tx}: what is done here commits with it. */
  Schedules in(Transaction tx) {
    return new Schedules(this, tx);
  }

  /** Store a new schedule, unless its key is taken; a retired schedule keeps its key. */
  public ChangeResult create(ScheduleDraft draft) {
    return draftSaver.create(draft, changedBy());
  }

  /**
   * Store new schedules, a thousand at a time, and leave those alone whose keys are taken. If a
   * draft is refused, the batches before it are stored, and doing it all again does no harm.
   *
   * @return how many were stored
   */
  public long createAll(Iterable<ScheduleDraft> drafts) {
    return draftSaver.createAll(drafts.iterator(), this::changedBy);
  }

  /** Store new schedules as {@link #createAll(Iterable)} does, holding no more than one batch. */
  public long createAll(Stream<ScheduleDraft> drafts) {
    return draftSaver.createAll(drafts.iterator(), this::changedBy);
  }

  /**
   * Store a schedule, or make a new version of it if the draft says something else. A retired
   * schedule fires again. A delay counts from now each time.
   */
  public ChangeResult upsert(ScheduleDraft draft) {
    return draftSaver.upsert(draft, changedBy());
  }

  /** Store a schedule and, if it is paused, let it fire again; says what storing it changed. */
  public ChangeResult upsertAndResume(ScheduleDraft draft) {
    return draftSaver.upsertAndResume(draft, changedBy());
  }

  /** Store a schedule as {@link #upsert} does; {@link #committed} comes after the commit. */
  ChangeResult save(Transaction tx, ScheduleDraft draft, ChangedBy by) {
    return new ScheduleChanges(tx, scope).save(draft.key(), draftSaver.known(draft, by.at()), by);
  }

  /** Retire a schedule; {@link #committed} comes after the commit. */
  Optional<ChangeResult> end(Transaction tx, String key, ChangedBy by) {
    return new ScheduleChanges(tx, scope).retire(key, Optional.empty(), by);
  }

  /**
   * Make a new version of a schedule from the one it has; empty if there is none, or it is retired.
   *
   * @param edit changes a draft of the schedule as it stands; it may be called more than once
   */
  public Optional<ChangeResult> patch(String key, UnaryOperator<ScheduleDraft> edit) {
    return draftSaver.patch(key, Optional.empty(), edit, changedBy());
  }

  /** Make a new version like {@link #patch(String, UnaryOperator)}, but only of {@code version}. */
  public Optional<ChangeResult> patch(String key, int version, UnaryOperator<ScheduleDraft> edit) {
    return draftSaver.patch(key, Optional.of(version), edit, changedBy());
  }

  /** Make a new version of {@code version} and, if the schedule is paused, let it fire again. */
  public Optional<ChangeResult> patchAndResume(
      String key, int version, UnaryOperator<ScheduleDraft> edit) {
    return draftSaver.patchAndResume(key, Optional.of(version), edit, changedBy());
  }

  /** Make a new version that says what {@code version} said; empty if there is none such. */
  public Optional<ChangeResult> rollback(String key, int version) {
    return draftSaver.rollback(key, version, changedBy());
  }

  /** Stop a schedule from firing, for a reason that is shown with it. */
  public Optional<ChangeResult> pause(String key, String reason) {
    return pause(key, Pause.because(reason));
  }

  /** Stop a schedule from firing until {@code until}. */
  public Optional<ChangeResult> pause(String key, String reason, Instant until) {
    return pause(key, Pause.because(reason).endingAt(until));
  }

  /**
   * Stop a schedule from firing, at once or when {@code pause} begins: slots before that still run.
   * A later pause replaces one that has not begun, {@link #resume} cancels it, and a new version
   * keeps it.
   */
  public Optional<ChangeResult> pause(String key, Pause pause) {
    ChangedBy by = changedBy();
    Pause bounded = ScheduleLimits.pause(pause, by.at());
    return changed(tx -> new ScheduleChanges(tx, scope).pause(key, bounded, by));
  }

  /**
   * Run a schedule now, as an extra run that obeys its overlap rule; empty if there is none, or if
   * it is retired.
   */
  public Optional<Run> runNow(String key) {
    return runNow(key, Optional.empty(), Optional.empty());
  }

  /** Run a schedule now with another payload. */
  public Optional<Run> runNow(String key, Payload payload) {
    return runNow(key, Optional.of(payload), Optional.empty());
  }

  /** Run a schedule now with another payload and under another overlap rule. */
  public Optional<Run> runNow(String key, Payload payload, Overlap overlap) {
    return runNow(key, Optional.of(payload), Optional.of(overlap));
  }

  private Optional<Run> runNow(String key, Optional<Payload> payload, Optional<Overlap> overlap) {
    ChangedBy by = changedBy();
    Optional<Run> run =
        database.inTransaction(tx -> requests.runNow(tx, key, payload, overlap, by));
    wakeUp.wakeUp();
    return run;
  }

  /**
   * Make up for past slots of a schedule that have no run, or whose run was skipped or canceled;
   * empty if there is no such schedule, or if it is retired.
   */
  public Optional<BackfillResult> backfill(String key, BackfillDraft draft) {
    ChangedBy by = changedBy();
    Optional<BackfillResult> runs =
        database.inTransaction(tx -> requests.backfill(tx, key, draft, by));
    wakeUp.wakeUp();
    return runs;
  }

  /** Return what {@link #backfill} would do, empty where it is. */
  public Optional<BackfillResult> previewBackfill(String key, BackfillDraft draft) {
    return database.inTransaction(tx -> requests.previewBackfill(tx, key, draft, clock.instant()));
  }

  /**
   * Let a paused schedule fire again; slots of the pause are recorded as paused. A pause that has
   * not begun is canceled.
   */
  public Optional<ChangeResult> resume(String key) {
    ChangedBy by = changedBy();
    return changed(tx -> new ScheduleChanges(tx, scope).resume(key, by));
  }

  /** Stop a schedule for good; its history stays. */
  public Optional<ChangeResult> retire(String key) {
    return retire(key, Optional.empty());
  }

  /** Stop a schedule for good like {@link #retire(String)}, but only as {@code version}. */
  public Optional<ChangeResult> retire(String key, int version) {
    return retire(key, Optional.of(version));
  }

  private Optional<ChangeResult> retire(String key, Optional<Integer> version) {
    ChangedBy by = changedBy();
    return changed(tx -> new ScheduleChanges(tx, scope).retire(key, version, by));
  }

  /** Retire all schedules that {@code filter} wants, whatever its limit, and return how many. */
  public long retireAll(ScheduleFilter filter) {
    return narrowed(filter, "retiring").retire();
  }

  /** Retire all schedules that {@code filter} wants, for a reason that the audit keeps. */
  public long retireAll(ScheduleFilter filter, String reason) {
    return narrowed(filter, "retiring").retire(reason);
  }

  /** Pause all active schedules that {@code filter} wants, and return how many. */
  public long pauseAll(ScheduleFilter filter, String reason) {
    return narrowed(filter, "pausing").pause(reason);
  }

  /** Resume all paused schedules that {@code filter} wants, and return how many. */
  public long resumeAll(ScheduleFilter filter, String reason) {
    return narrowed(filter, "resuming").resume(reason);
  }

  /** Run all schedules that {@code filter} wants now, and return how many. */
  public long runAll(ScheduleFilter filter, String reason) {
    return narrowed(filter, "running").runNow(reason);
  }

  /**
   * Find all schedules that {@code filter} wants, whatever its limit, to do something with these
   * and no others.
   */
  public FoundSchedules findAll(ScheduleFilter filter) {
    return FoundSchedules.of(changes(), filter.within(scope));
  }

  /** Find those of {@code keys} that are not retired, to do something with these and no others. */
  public FoundSchedules findNamed(List<String> keys) {
    return FoundSchedules.named(changes(), keys, scope);
  }

  private FoundSchedules.Changes changes() {
    return new FoundSchedules.Changes(
        database,
        store,
        this::changedBy,
        wakeUp,
        (tx, key) ->
            requests.runNow(tx, key, Optional.empty(), Optional.empty(), changedBy()).isPresent());
  }

  private FoundSchedules narrowed(ScheduleFilter filter, String doing) {
    if (!filter.narrows()) {
      throw new InvalidValueException(
          doing
              + " all schedules needs a filter; name a payload, target, tag, text or status, or use"
              + " findAll");
    }
    return findAll(filter);
  }

  /** Find a schedule by its key. */
  public Optional<Schedule> get(String key) {
    return store.find(key).filter(scope::admits);
  }

  /** Find a schedule by its number, which is also that of its runs' ids. */
  public Optional<Schedule> getById(long number) {
    return store.find(number).filter(scope::admits);
  }

  /** Return the schedules that {@code filter} wants, by key in ascending order. */
  public List<Schedule> list(ScheduleFilter filter) {
    return store.list(filter.within(scope));
  }

  /**
   * Return a page of the schedules that {@code filter} wants, by key in ascending order, whatever
   * limit it has. It costs the same however many schedules there are and has at most four MiB of
   * JSON, and so may be short.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<Schedule> page(ScheduleFilter filter, Optional<String> after, int limit) {
    return page(filter, after, limit, PayloadUse.INCLUDED);
  }

  /** Return a page of schedules with or without their payloads. */
  public Page<Schedule> page(
      ScheduleFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    return store.page(filter.within(scope), after, limit, payloads);
  }

  /** Return the last thousand definitions a schedule has had, newest first. */
  public List<ScheduleVersion> versions(String key) {
    return hides(key)
        ? List.of()
        : store.versions(key).stream()
            .filter(version -> scope.admits(key, version.definition()))
            .toList();
  }

  /**
   * Return a page of the definitions a schedule has had, newest first, of at most four MiB of JSON.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<ScheduleVersion> versions(
      VersionFilter filter, Optional<String> after, int limit, PayloadUse payloads) {
    return hides(filter.key())
        ? new Page<>(List.of(), Optional.empty())
        : store.versions(filter.within(scope), after, limit, payloads);
  }

  /** Find a definition that a schedule has or had. */
  public Optional<ScheduleVersion> version(String key, int version) {
    return hides(key)
        ? Optional.empty()
        : ScheduleStore.version(database, key, version)
            .filter(found -> scope.admits(key, found.definition()));
  }

  /** Refuse a draft as storing it would, or return what is odd about it; stores nothing. */
  public List<Warning> validate(ScheduleDraft draft) {
    Instant now = now();
    return Lint.of(draftSaver.checked(draft, now).timing(), now);
  }

  /**
   * Tell when the next slots of a timing would be due by a calendar and quiet hours.
   *
   * @param definition the timing, and the calendar and quiet hours by name
   * @param zone the zone of a timing that has none
   * @param after slots that have come by then are not told of
   * @throws InvalidValueException if there is no such calendar or quiet hours, naming the field
   */
  public List<TimingFire> judge(Definition definition, ZoneId zone, Instant after, int count) {
    ScheduleLimits.count(count, MAX_PREVIEW);
    if (definition.dueCalendars().isEmpty() && definition.quietHours().isEmpty()) {
      return TimingFires.of(definition, DueRule.NONE, zone, after, count);
    }
    RuleBook book = RuleBooks.read(database);
    book.checkNames(definition);
    Definition zoned = definition.with(change -> change.timing = book.zoned(definition.timing()));
    return TimingFires.of(zoned, book.ruleOf(zoned), zone, after, count);
  }

  /** Return a timing by a calendar in the zone of that, unless it has one, or another timing. */
  public Timing zoned(Timing timing) {
    return timing instanceof CalendarTiming ? RuleBooks.read(database).zoned(timing) : timing;
  }

  /** Return the next slots of a draft as if it were stored now. */
  public List<UpcomingSlot> preview(ScheduleDraft draft, int count) {
    ScheduleLimits.count(count, MAX_PREVIEW);
    Instant now = now();
    Definition definition = draftSaver.definition(draft, now);
    DueRule rule = RuleBooks.read(database).ruleOrNone(definition);
    return Preview.of(draft.key(), definition, rule, now, count);
  }

  /**
   * Return the next slots at which a schedule will fire: none if it is retired, or paused without
   * an end; empty if there is no such schedule.
   */
  public Optional<List<UpcomingSlot>> preview(String key, int count) {
    ScheduleLimits.count(count, MAX_PREVIEW);
    return get(key)
        .map(schedule -> upcoming(List.of(schedule), count).getOrDefault(key, List.of()));
  }

  /** Return the next slots of each of {@code schedules} as {@link #preview} does, by key. */
  public Map<String, List<UpcomingSlot>> upcoming(Collection<Schedule> schedules, int count) {
    ScheduleLimits.count(count, MAX_PREVIEW);
    Instant now = now();
    RuleBook book = RuleBooks.read(database);
    Map<Long, ScheduleProgress> outlooks =
        new ScheduleProgressStore(database).of(schedules, now, count);
    var upcoming = new LinkedHashMap<String, List<UpcomingSlot>>();
    for (Schedule schedule : schedules) {
      Optional.ofNullable(outlooks.get(schedule.id()))
          .map(
              progress ->
                  Preview.of(
                      schedule, progress, book.ruleOrNone(schedule.definition()), now, count))
          .ifPresent(slots -> upcoming.put(schedule.key(), slots));
    }
    return upcoming;
  }

  /**
   * Return the first slots from {@code from} to {@code to}: of those that have passed what became
   * of them, of those to come what will, as things stand; empty if there is no such schedule.
   */
  public Optional<List<SlotOutcome>> fires(String key, Instant from, Instant to, int limit) {
    ScheduleLimits.count(limit, MAX_LIST);
    Fires.Period period = Fires.Period.of(from, to);
    return get(key).map(schedule -> fires.of(schedule, period, now(), limit));
  }

  /**
   * Tell why a schedule did or did not run at an instant, or will or will not, as things stand;
   * empty if there is no such schedule.
   */
  public Optional<Explanation> explain(String key, Instant at) {
    Instant asked = FieldLimits.instant("at", at).truncatedTo(ChronoUnit.MICROS);
    return get(key)
        .map(schedule -> new Explanations(database, settings).of(schedule, asked, now(), scope));
  }

  /**
   * Return how many fires are due in each minute from {@code from} until before {@code to}, over
   * all schedules and as things stand: the sum of what {@link #preview} says of each. It costs
   * little memory, however many schedules there are.
   *
   * @param from now at the earliest
   * @param to at most {@link #MAX_FORECAST} later
   */
  public LoadForecast forecast(Instant from, Instant to) {
    return new LoadForecaster(database, scope).between(from, to, now());
  }

  /**
   * Refuse a draft as {@link #upsert} would, or return what that would do, and which slots of the
   * next thirty days would come and go by it, up to a hundred each; stores nothing.
   */
  public DryRun dryRun(ScheduleDraft draft) {
    ChangedBy by = changedBy();
    return new DryRunner(database, fires, scope)
        .of(draft.key(), draftSaver.known(draft, by.at()), by);
  }

  /** Return what is odd about the calendars and quiet hours of a schedule by now. */
  public List<Warning> warnings(Schedule schedule) {
    RuleBook rules = ruleBooks.current(database);
    return ScheduleWarnings.of(rules, schedule.key(), schedule.definition(), changedBy().at());
  }

  /** Return why slots from {@code from} to {@code to} became no run, oldest first. */
  public List<Decision> decisions(String key, Instant from, Instant to, int limit) {
    ScheduleLimits.count(limit, MAX_LIST);
    return hides(key) ? List.of() : new DecisionStore(database).list(key, from, to, limit);
  }

  /** Count the slots that it was decided since then to make no run of, by reason. */
  public Map<DroppedSlots.Reason, Long> droppedSince(Instant since) {
    return new DecisionStore(database).countSince(since, scope);
  }

  /** Return who changed what, newest first. */
  public List<AuditEntry> audit(AuditFilter filter, int limit) {
    ScheduleLimits.count(limit, MAX_LIST);
    return new AuditStore(database).list(filter.within(scope), limit);
  }

  /**
   * Return a page of who changed what, newest first.
   *
   * @param after what came with the page before; empty for the first
   */
  public Page<AuditEntry> auditPage(AuditFilter filter, Optional<String> after, int limit) {
    return new AuditStore(database).page(filter.within(scope), after, limit);
  }

  private boolean hides(String key) {
    return !scope.isAll() && get(key).isEmpty();
  }

  private Optional<ChangeResult> changed(Function<Transaction, Optional<ChangeResult>> change) {
    return database.inTransaction(change).map(wakeUp::after);
  }

  /** Wake planning after {@code change} has been committed. */
  void committed(ChangeResult change) {
    wakeUp.after(change);
  }

  ChangedBy changedBy() {
    return new ChangedBy(now(), actor);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
