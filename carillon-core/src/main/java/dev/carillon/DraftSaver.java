package dev.carillon;

import dev.carillon.model.ChangeResult;
import dev.carillon.model.ChangeResult.Change;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.OutOfScopeException;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Scope;
import dev.carillon.plan.DefinitionCheck;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.ScheduleChanges;
import dev.carillon.store.schedule.ScheduleStore;
import dev.carillon.template.RunPayload;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes drafts into schedules and into versions of them, and refuses those that make no sense. */
final class DraftSaver {
  private static final int BATCH = 1_000;
  private static final int MAX_BATCH = 8 * 1024 * 1024;

  private final Database database;
  private final AllowedReferences allowedReferences;
  private final PolicyDefaults defaults;
  private final PlanningWakeUp wakeUp;
  private final Scope scope;

  DraftSaver(
      Database database,
      AllowedReferences allowedReferences,
      PolicyDefaults defaults,
      PlanningWakeUp wakeUp) {
    this(database, allowedReferences, defaults, wakeUp, Scope.ALL);
  }

  private DraftSaver(
      Database database,
      AllowedReferences allowedReferences,
      PolicyDefaults defaults,
      PlanningWakeUp wakeUp,
      Scope scope) {
    this.database = database;
    this.allowedReferences = allowedReferences;
    this.defaults = defaults;
    this.wakeUp = wakeUp;
    this.scope = scope;
  }

  /** Return the same for schedules that {@code reached} reaches. */
  DraftSaver within(Scope reached) {
    return new DraftSaver(database, allowedReferences, defaults, wakeUp, reached);
  }

  private ScheduleChanges changes(Transaction tx) {
    return new ScheduleChanges(tx, scope);
  }

  /** Return the same as part of {@code tx}. */
  DraftSaver in(Transaction tx) {
    return new DraftSaver(database.within(tx), allowedReferences, defaults, wakeUp.in(tx));
  }

  ChangeResult create(ScheduleDraft draft, ChangedBy by) {
    Definition definition = checked(draft, by.at());
    return wakeUp.after(
        database.inTransaction(
            tx -> {
              Set<String> created = changes(tx).create(Map.of(draft.key(), definition), by);
              Schedule schedule = ScheduleStore.find(tx, draft.key()).orElseThrow();
              if (!scope.admits(schedule)) {
                throw OutOfScopeException.takenKey();
              }
              return new ChangeResult(schedule, created.isEmpty() ? Change.TAKEN : Change.CREATED);
            }));
  }

  /** Create schedules batch by batch, each of which has a stamp of its own. */
  long createAll(Iterator<ScheduleDraft> drafts, Supplier<ChangedBy> stamp) {
    long created = 0;
    while (drafts.hasNext()) {
      created += createBatch(drafts, stamp.get());
    }
    return created;
  }

  private int createBatch(Iterator<ScheduleDraft> drafts, ChangedBy by) {
    var batch = new LinkedHashMap<String, Definition>();
    for (int size = 0; drafts.hasNext() && batch.size() < BATCH && size < MAX_BATCH; ) {
      ScheduleDraft draft = drafts.next();
      Definition definition = checked(draft, by.at());
      size += definition.payload().json().length() + definition.description().length();
      batch.putIfAbsent(draft.key(), definition);
    }
    int created = database.inTransaction(tx -> changes(tx).create(batch, by)).size();
    if (created > 0) {
      wakeUp.wakeUp();
    }
    return created;
  }

  ChangeResult upsert(ScheduleDraft draft, ChangedBy by) {
    Definition definition = known(draft, by.at());
    return wakeUp.after(
        database.inTransaction(tx -> changes(tx).save(draft.key(), definition, by)));
  }

  /** Store a schedule and let it fire if it is paused, both or neither. */
  ChangeResult upsertAndResume(ScheduleDraft draft, ChangedBy by) {
    Definition definition = known(draft, by.at());
    return wokenAfter(
        database.inTransaction(
            tx -> resumed(tx, changes(tx).save(draft.key(), definition, by), by)));
  }

  /** Make a new version as {@link #patch} does and let the schedule fire if it is paused. */
  Optional<ChangeResult> patchAndResume(
      String key, Optional<Integer> version, UnaryOperator<ScheduleDraft> edit, ChangedBy by) {
    return database
        .inTransaction(
            tx ->
                changed(tx, key, version, edit, by)
                    .map(changeResult -> resumed(tx, changeResult, by)))
        .map(this::wokenAfter);
  }

  private List<ChangeResult> resumed(Transaction tx, ChangeResult changeResult, ChangedBy by) {
    boolean stale = changeResult.change() == Change.STALE;
    return stale || changeResult.schedule().status() != ScheduleStatus.PAUSED
        ? List.of(changeResult)
        : List.of(
            changeResult, changes(tx).resume(changeResult.schedule().key(), by).orElseThrow());
  }

  /* What it is after all steps, and what the first of them, which saved it, did. */
  private ChangeResult wokenAfter(List<ChangeResult> steps) {
    steps.forEach(wakeUp::after);
    return new ChangeResult(steps.get(steps.size() - 1).schedule(), steps.get(0).change());
  }

  /** Make a new version of a schedule, if it has {@code version} where one is given. */
  Optional<ChangeResult> patch(
      String key, Optional<Integer> version, UnaryOperator<ScheduleDraft> edit, ChangedBy by) {
    return database.inTransaction(tx -> changed(tx, key, version, edit, by)).map(wakeUp::after);
  }

  private Optional<ChangeResult> changed(
      Transaction tx,
      String key,
      Optional<Integer> version,
      UnaryOperator<ScheduleDraft> edit,
      ChangedBy by) {
    return changes(tx)
        .change(
            key,
            version,
            schedule ->
                edited(schedule, edit.apply(ScheduleDraft.of(key, schedule.definition())), by),
            by,
            Map.of());
  }

  private Definition edited(Schedule schedule, ScheduleDraft draft, ChangedBy by) {
    if (!draft.key().equals(schedule.key())) {
      throw new InvalidValueException(
          "the key of a schedule stays; schedule '%s' was given a draft of '%s'; create another schedule instead"
              .formatted(schedule.key(), draft.key()));
    }
    return known(draft, by.at());
  }

  Optional<ChangeResult> rollback(String key, int version, ChangedBy by) {
    return database
        .inTransaction(
            tx ->
                ScheduleStore.version(tx, key, version)
                    .filter(old -> scope.admits(key, old.definition()))
                    .flatMap(
                        old -> {
                          allowedReferences.check(key, old.definition());
                          return changes(tx)
                              .change(
                                  key,
                                  Optional.empty(),
                                  schedule -> old.definition(),
                                  by,
                                  Map.of("rolledBackTo", version));
                        }))
        .map(wakeUp::after);
  }

  /** Return what {@code draft} says at {@code now}: by a calendar, in the zone of that. */
  Definition definition(ScheduleDraft draft, Instant now) {
    Definition said = draft.definition(now, defaults);
    return said.timing() instanceof CalendarTiming named && named.zone().isEmpty()
        ? said.with(one -> one.timing = RuleBooks.read(database).zoned(named))
        : said;
  }

  /**
   * Return what {@code draft} says at {@code now}, unless its target is not known, or its payload
   * cannot be filled in.
   */
  Definition known(ScheduleDraft draft, Instant now) {
    Definition definition = definition(draft, now);
    allowedReferences.check(draft.key(), definition);
    RunPayload.check(draft.key(), definition, now);
    RunDraft.checkTimeout(definition.policy());
    return definition;
  }

  /** Return when slots of {@code definition} are due, by its calendar and its own quiet hours. */
  private DueRule rule(Definition definition) {
    return definition.isRuled() ? RuleBooks.read(database).ruleOrNone(definition) : DueRule.NONE;
  }

  /** Return what {@code draft} says at {@code now}, unless a new schedule cannot say so. */
  Definition checked(ScheduleDraft draft, Instant now) {
    Definition definition = known(draft, now);
    if (definition.namesCalendars()) {
      RuleBooks.read(database).check(draft.key(), definition, now);
    }
    DueRule rule = rule(definition);
    DefinitionCheck.check(
        definition, rule, draft.key(), now, DefinitionCheck.floor(definition, rule, now));
    return definition;
  }
}
