package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.model.Scope;
import dev.carillon.plan.FireGroup;
import dev.carillon.plan.FireLoad;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.Cron;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads schedules that fire, those together that fire at the same slots. */
public final class FireGroupStore {
  private static final int ROWS_AT_ONCE = 1_000;
  private static final int MAX_DEFINITIONS = 10_000;
  private static final int FEW = 20_000;

  /* They do not change when runs are due. A field that is not here, such as a new one, keeps schedules apart. */
  private static final List<String> NOT_ABOUT_TIME =
      List.<DefinitionField<?>>of(
              DefinitionFields.OVERLAP,
              DefinitionFields.QUEUE_LIMIT,
              DefinitionFields.CATCH_UP,
              DefinitionFields.RETRY,
              DefinitionFields.RECOVERY,
              DefinitionFields.TIMEOUT,
              DefinitionFields.PAUSE_AFTER_FAILURES,
              DefinitionFields.DESCRIPTION)
          .stream()
          .map(DefinitionField::name)
          .toList();

  private static final String FIRING =
      """
      select definition, next_slot, pause_from, resume_at, planned_runs, planned, ahead, settled, tags,
             count(*) as schedules,
             (select array_agg(first.key order by first.key collate "C")
                from (select one.key
                        from unnest(array_agg(firing.key)) as one (key)
                       order by one.key collate "C"
                       limit :keys) as first) as keys
        from (select schedule.key,
                     version.definition - :others::text[] as definition,
                     case when schedule.status = 'active' then cursor.next_slot end as next_slot,
                     case when schedule.status = 'active' then schedule.pause_from end as pause_from,
                     case when schedule.status = 'active' then schedule.coming_pause_until
                          else schedule.paused_until end as resume_at,
                     case when version.definition ? 'maxRuns' then cursor.planned_runs
                          else 0 end as planned_runs,
                     case when schedule.status = 'active' then planned.due end as planned,
                     case when schedule.status = 'active' then planned.slots end as ahead,
                     settled.slots as settled,
                     case when :wide then version.tags end as tags,  -- some quiet hours are by tag
                     case when version.definition ? 'jitter'
                            or version.definition #>> '{timing,cron}' like any ('{%%h%%,%%H%%}')
                          then schedule.key end as own_key
                from carillon.schedule
                join carillon.schedule_version as version
                  on version.schedule_id = schedule.id and version.version = schedule.version
                join carillon.cursor
                  on cursor.schedule_id = schedule.id
                left join (select schedule_id, array_agg(due_at order by due_at) as due,
                                  array_agg(slot order by due_at) as slots
                             from carillon.run
                            where state = 'pending'
                              and trigger = 'scheduled'
                              and due_at >= :from
                              and due_at < :to
                            group by schedule_id) as planned
                  on planned.schedule_id = schedule.id
                left join (select rewound.schedule_id, taken.slots
                             from carillon.cursor as rewound
                            cross join lateral (
                                  select array_agg(any_run.slot order by any_run.slot) as slots
                                    from carillon.any_run
                                   where any_run.schedule_id = rewound.schedule_id
                                     and any_run.slot > rewound.planned_through
                                     and any_run.slot <= rewound.rewound_from
                                     and any_run.ordinal = 0) as taken  -- looked up one by one
                            where rewound.rewound_from is not null
                              %s) as settled
                  on settled.schedule_id = schedule.id
               where (schedule.status = 'active'
                      or (schedule.status = 'paused' and schedule.paused_until is not null))
                 %s
                 and (:scope::jsonb is null
                      or carillon.in_scope(:scope::jsonb, schedule.key, version.target, version.tags))) as firing
       group by definition, next_slot, pause_from, resume_at, planned_runs, planned, ahead, settled, tags, own_key
       order by min(key collate "C")
      """;
  private static final String FIRING_AT_ALL = FIRING.formatted("", "");

  /* Where few of many may fire, such as in a short period, only those are read. */
  private static final String FIRING_SOON =
      """
      with firing_by as materialized (
        select schedule_id as id
          from carillon.cursor
         where plan_by < :to
         union
        select schedule_id
          from carillon.run  -- also those that go on when a run ends
         where trigger = 'scheduled'
         union
        select id
          from carillon.schedule
         where paused_until is not null
         union
        select id
          from carillon.schedule
         where pause_from is not null
           and status = 'active'
           and coming_pause_until is not null)
      """
          + FIRING.formatted(
              "and rewound.schedule_id in (select id from firing_by)",
              "and schedule.id in (select id from firing_by)");

  private final Transaction tx;
  private final Scope scope;
  private final RuleBook book;
  private final Map<Stored, Definition> definitions = new HashMap<>();

  private record Stored(String definition, List<String> tags) {}

  /** Read the schedules that {@code scope} reaches. */
  public FireGroupStore(Transaction tx, Scope scope) {
    this.tx = tx;
    this.book = RuleBooks.read(tx);
    this.scope = scope;
  }

  /**
   * Add the schedules that are to fire to {@code load}, in the order of their keys, with their runs
   * that are due from {@code from} until before {@code to}.
   */
  public void addTo(FireLoad load, Instant from, Instant to) {
    groupByHashing();
    tx.forEach(
        "read what fires",
        hasFewBefore(to) ? FIRING_SOON : FIRING_AT_ALL,
        bind ->
            bind.set("from", from)
                .set("to", to)
                .set("keys", load.maxKeys())
                .set("scope", scope.json())
                .set("wide", book.isWide())
                .array("others", "text", NOT_ABOUT_TIME, name -> name),
        ROWS_AT_ONCE,
        row -> add(row, load));
  }

  private boolean hasFewBefore(Instant to) {
    return tx.one(
        "tell whether few schedules may fire",
        """
        select count(*) <= :few as few
          from (select 1
                  from carillon.cursor
                 where plan_by < :to
                 limit :few + 1) as first
        """,
        bind -> bind.set("to", to).set("few", FEW),
        row -> row.flag("few"));
  }

  /* To sort definitions takes longer than all the rest. */
  private void groupByHashing() {
    tx.query(
        "group by hashing",
        """
        select set_config('enable_sort', 'off', true), set_config('work_mem', '64MB', true),
               set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)
        """,
        row -> true);
  }

  /** Count the schedules that are paused until they are resumed. */
  public long pausedWithoutEnd() {
    return tx.one(
        "count what is paused without an end",
        """
        select count(*) as schedules
          from carillon.schedule
         where schedule.status = 'paused'
           and schedule.paused_until is null
           and (:scope::jsonb is null
                or exists (select 1
                             from carillon.schedule_version as version
                            where version.schedule_id = schedule.id
                              and version.version = schedule.version
                              and carillon.in_scope(:scope::jsonb, schedule.key, version.target, version.tags)))
        """,
        bind -> bind.set("scope", scope.json()),
        row -> row.number("schedules"));
  }

  private void add(Row row, FireLoad load) {
    List<String> keys = row.texts("keys");
    long schedules = row.number("schedules");
    Definition definition;
    try {
      definition = definition(keys.get(0), row.text("definition"), row.texts("tags"));
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      load.addUnreadable(schedules);
      return;
    }
    var outlook =
        new FireGroup.Outlook(
            row.optionalInstant("next_slot"),
            row.optionalInstant("pause_from"),
            row.optionalInstant("resume_at"),
            row.number("planned_runs"),
            row.instants("planned"),
            row.instants("settled"),
            row.instants("ahead"));
    load.add(new FireGroup(definition, outlook, schedules, keys, book.ruleOrNone(definition)));
  }

  /* Schedules with jitter come one by one, and are alike but for their keys. */
  private Definition definition(String key, String stored, List<String> tags) {
    var same = new Stored(stored, tags);
    Definition known = definitions.get(same);
    if (known != null) {
      return known;
    }
    Definition read = DefinitionFields.restore(key, "", Payload.EMPTY, stored, tags);
    boolean dependsOnKey =
        read.timing() instanceof Cron cron
            && cron.expression().toLowerCase(Locale.ROOT).contains("h");
    if (!dependsOnKey && definitions.size() < MAX_DEFINITIONS) {
      definitions.put(same, read);
    }
    return read;
  }
}
