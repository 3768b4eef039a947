package dev.carillon;

import dev.carillon.model.Definition;
import dev.carillon.model.Saved;
import dev.carillon.model.Saved.Change;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Stamp;
import dev.carillon.plan.Fitness;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.Database;
import dev.carillon.store.ScheduleStore;
import dev.carillon.store.Transaction;
import dev.carillon.time.InvalidValueException;
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
final class Drafting {
  private static final int BATCH = 1_000;
  private static final int LARGEST_BATCH = 8 * 1024 * 1024;

  private final Database database;
  private final ScheduleStore store;
  private final Rules rules;
  private final PolicyDefaults defaults;
  private final News news;

  Drafting(
      Database database, ScheduleStore store, Rules rules, PolicyDefaults defaults, News news) {
    this.database = database;
    this.store = store;
    this.rules = rules;
    this.defaults = defaults;
    this.news = news;
  }

  Saved create(ScheduleDraft draft, Stamp by) {
    Definition definition = checked(draft, by.at());
    return news.tell(
        database.inTransaction(
            tx -> {
              Set<String> created = store.create(tx, Map.of(draft.key(), definition), by);
              return new Saved(
                  store.find(tx, draft.key()).orElseThrow(),
                  created.isEmpty() ? Change.TAKEN : Change.CREATED);
            }));
  }

  /** Create schedules batch by batch, each of which has a stamp of its own. */
  long createAll(Iterator<ScheduleDraft> drafts, Supplier<Stamp> stamp) {
    long created = 0;
    while (drafts.hasNext()) {
      created += createBatch(drafts, stamp.get());
    }
    return created;
  }

  private int createBatch(Iterator<ScheduleDraft> drafts, Stamp by) {
    var batch = new LinkedHashMap<String, Definition>();
    for (int size = 0; drafts.hasNext() && batch.size() < BATCH && size < LARGEST_BATCH; ) {
      ScheduleDraft draft = drafts.next();
      Definition definition = checked(draft, by.at());
      size += definition.payload().json().length() + definition.description().length();
      batch.putIfAbsent(draft.key(), definition);
    }
    int created = database.inTransaction(tx -> store.create(tx, batch, by)).size();
    if (created > 0) {
      news.wakeUp();
    }
    return created;
  }

  Saved upsert(ScheduleDraft draft, Stamp by) {
    Definition definition = known(draft, by.at());
    return news.tell(database.inTransaction(tx -> store.save(tx, draft.key(), definition, by)));
  }

  /** Store a schedule and let it fire if it is paused, both or neither. */
  Saved upsertAndResume(ScheduleDraft draft, Stamp by) {
    Definition definition = known(draft, by.at());
    return told(
        database.inTransaction(tx -> resumed(tx, store.save(tx, draft.key(), definition, by), by)));
  }

  /** Make a new version as {@link #patch} does and let the schedule fire if it is paused. */
  Optional<Saved> patchAndResume(
      String key, Optional<Integer> version, UnaryOperator<ScheduleDraft> edit, Stamp by) {
    return database
        .inTransaction(
            tx -> changed(tx, key, version, edit, by).map(saved -> resumed(tx, saved, by)))
        .map(this::told);
  }

  private List<Saved> resumed(Transaction tx, Saved saved, Stamp by) {
    boolean stale = saved.change() == Change.STALE;
    return stale || saved.schedule().status() != ScheduleStatus.PAUSED
        ? List.of(saved)
        : List.of(saved, store.resume(tx, saved.schedule().key(), by).orElseThrow());
  }

  /* What it is after all steps, and what the first of them, which saved it, did. */
  private Saved told(List<Saved> steps) {
    steps.forEach(news::tell);
    return new Saved(steps.get(steps.size() - 1).schedule(), steps.get(0).change());
  }

  /** Make a new version of a schedule, if it has {@code version} where one is given. */
  Optional<Saved> patch(
      String key, Optional<Integer> version, UnaryOperator<ScheduleDraft> edit, Stamp by) {
    return database.inTransaction(tx -> changed(tx, key, version, edit, by)).map(news::tell);
  }

  private Optional<Saved> changed(
      Transaction tx,
      String key,
      Optional<Integer> version,
      UnaryOperator<ScheduleDraft> edit,
      Stamp by) {
    return store.change(
        tx,
        key,
        version,
        schedule -> edited(schedule, edit.apply(ScheduleDraft.of(key, schedule.definition())), by),
        by,
        Map.of());
  }

  private Definition edited(Schedule schedule, ScheduleDraft draft, Stamp by) {
    if (!draft.key().equals(schedule.key())) {
      throw new InvalidValueException(
          "the key of a schedule stays; schedule '"
              + schedule.key()
              + "' was given a draft of '"
              + draft.key()
              + "'; create another schedule instead");
    }
    return known(draft, by.at());
  }

  Optional<Saved> rollback(String key, int version, Stamp by) {
    return database
        .inTransaction(
            tx ->
                store
                    .version(tx, key, version)
                    .flatMap(
                        old -> {
                          rules.check(key, old.definition());
                          return store.change(
                              tx,
                              key,
                              Optional.empty(),
                              schedule -> old.definition(),
                              by,
                              Map.of("rolledBackTo", version));
                        }))
        .map(news::tell);
  }

  /** Return what {@code draft} says at {@code now}, or else what is usual. */
  Definition definition(ScheduleDraft draft, Instant now) {
    return draft.definition(now, defaults);
  }

  /** Return what {@code draft} says at {@code now}, unless its target is not known. */
  Definition known(ScheduleDraft draft, Instant now) {
    Definition definition = definition(draft, now);
    rules.check(draft.key(), definition);
    return definition;
  }

  /** Return what {@code draft} says at {@code now}, unless a new schedule cannot say so. */
  Definition checked(ScheduleDraft draft, Instant now) {
    Definition definition = known(draft, now);
    Fitness.check(definition, draft.key(), now, Fitness.floor(definition, now));
    return definition;
  }
}
