package dev.carillon.store.run;

import dev.carillon.json.JsonSize;
import dev.carillon.model.Dismissal;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.RecentRun;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Scope;
import dev.carillon.model.TrackRecord;
import dev.carillon.model.VersionRef;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lists of runs, latest slots first, each along an index with that order: a page costs the same
 * however long the history is.
 *
 * <p>Array parameters make {@link Database} plan these statements for their values, so that parts
 * without a match are not read.
 */
public final class RunQueries {
  /* How many runs decide about the track record of a version: more only if the first do not. */
  private static final int FIRST_RUNS = 20;
  private static final int MAX_RUNS = 200;

  private final Database database;
  private final DismissalStore dismissals = new DismissalStore();

  public RunQueries(Database database) {
    this.database = database;
  }

  RunScope reach(Scope scope) {
    return new RunScope(database, scope);
  }

  /** Return the runs that {@code filter} matches; its text and scope are ignored. */
  public List<Run> list(RunFilter filter) {
    return page(filter, PageRoom.ofAnySize(filter.limit()), filter.limit(), PayloadUse.INCLUDED)
        .stream()
        .map(Measured::run)
        .toList();
  }

  /** A run of a page, and how many bytes of JSON its texts have. */
  record Measured(Run run, long jsonBytes) {
    static Measured read(Row row) {
      Run run = RunRows.toRun(row);
      return new Measured(run, row.jsonBytes());
    }

    Measured dismissed(Map<RunId, Dismissal> dismissals) {
      return Optional.ofNullable(dismissals.get(run.id()))
          .map(dismissal -> new Measured(run.dismissed(dismissal), jsonBytes))
          .orElse(this);
    }

    Measured withoutPayload() {
      return new Measured(run.withoutPayload(), jsonBytes - JsonSize.ofJson(run.payload().json()));
    }
  }

  /** Return up to {@code limit} runs that {@code filter} matches, as many as {@code room} takes. */
  List<Measured> page(RunFilter filter, PageRoom room, int limit, PayloadUse payloads) {
    return database.inOneTransaction(
        tx -> {
          List<Measured> found = listed(new Reading(tx, room, payloads), filter, limit);
          Map<RunId, Dismissal> dismissed =
              dismissals.find(tx, found.stream().map(Measured::run).toList());
          return found.stream().map(one -> one.dismissed(dismissed)).toList();
        });
  }

  /** A page of runs that is read in a transaction. */
  private record Reading(Transaction tx, PageRoom room, PayloadUse payloads) {
    List<Measured> runs(String name, String sql, Consumer<Bind> binder) {
      return room.read(
          tx,
          name,
          sql,
          bind -> binder.accept(bind.set("payloads", payloads == PayloadUse.INCLUDED)),
          Measured::read);
    }
  }

  private List<Measured> listed(Reading reading, RunFilter filter, int limit) {
    if (filter.schedule().isPresent() || filter.correlation().isPresent()) {
      if (filter
          .correlation()
          .isEmpty()) { // else a schedule with many more runs than others is read as a whole
        Pages.alongIndexes(reading.tx);
      }
      return listRelated(reading, filter, limit);
    }
    return filter.target().isPresent()
        ? listOfTarget(reading, filter, limit)
        : listAll(reading, filter, limit);
  }

  /* By the primary key or the index of unsuccessful runs of a schedule, or by correlation. */
  private List<Measured> listRelated(Reading reading, RunFilter filter, int limit) {
    return reading.runs(
        "list related runs",
        """
        select any_run.schedule_id, any_run.slot, any_run.ordinal, any_run.version, any_run.trigger, any_run.target,
               case when :payloads then any_run.payload end as payload, any_run.due_at, any_run.state, any_run.attempt,
               any_run.overlap, any_run.policy, any_run.node_id, any_run.started_at, any_run.finished_at, any_run.failure_code,
               any_run.failure_message, any_run.failure_details, any_run.reason, any_run.progress, any_run.attempts,
               any_run.correlation, any_run.external_id, schedule.key
          from carillon.any_run
          left join lateral (
               select key
                 from carillon.schedule
                where id = any_run.schedule_id
                limit 1) as schedule  -- looked up one by one
            on true
         where (:key::text is null
                or any_run.schedule_id = (select id from carillon.schedule where key = :key))
           and (:correlation::text is null or any_run.correlation = :correlation)
           and (:target::text is null or any_run.target = :target)
           and any_run.state = any(:states)
           and (:dueBy::timestamptz is null or any_run.state <> 'pending' or any_run.due_at <= :dueBy)
           and (:trigger::text is null or any_run.trigger = :trigger)
           and (:node::uuid is null or any_run.node_id = :node)
           and any_run.slot >= :from
           and any_run.slot <= :slot
           and (any_run.slot, any_run.schedule_id, any_run.ordinal) < (:slot, :schedule, :ordinal)
         order by any_run.slot desc, any_run.schedule_id desc, any_run.ordinal desc
         limit :limit
        """,
        bind ->
            page(bind, filter, limit)
                .set("key", filter.schedule())
                .set("correlation", filter.correlation())
                .set("target", filter.target())
                .array("states", "text", states(filter), EnumText::of));
  }

  private List<Measured> listAll(Reading reading, RunFilter filter, int limit) {
    return reading.runs(
        "list runs",
        """
        select found.schedule_id, found.slot, found.ordinal, found.version, found.trigger, found.target,
               case when :payloads then found.payload end as payload, found.due_at, found.state, found.attempt,
               found.overlap, found.policy, found.node_id, found.started_at, found.finished_at, found.failure_code,
               found.failure_message, found.failure_details, found.reason, found.progress, found.attempts,
               found.correlation, found.external_id, schedule.key
          from (select live.*
                  from (select *
                          from carillon.live_run
                         where state = any(:live)
                           and (:dueBy::timestamptz is null or state <> 'pending' or due_at <= :dueBy)
                           and (:trigger::text is null or trigger = :trigger)
                           and (:node::uuid is null or node_id = :node)
                           and slot >= :from
                           and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                         order by slot desc, schedule_id desc, ordinal desc
                         limit :limit) as live
                 union all
                select unsuccessful.*
                  from unnest(:unsuccessful) as wanted (state)
                 cross join lateral (
                       select *
                         from carillon.ended_run
                        where ended_run.state = wanted.state
                          and ended_run.state <> 'succeeded'
                          and (:trigger::text is null or trigger = :trigger)
                          and (:node::uuid is null or node_id = :node)
                          and slot >= :from
                          and slot <= :slot
                          and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                        order by slot desc, schedule_id desc, ordinal desc
                        limit :limit) as unsuccessful
                 union all
                select succeeded.*
                  from (select *
                          from carillon.ended_run
                         where :succeeded
                           and state = 'succeeded'
                           and (:trigger::text is null or trigger = :trigger)
                           and (:node::uuid is null or node_id = :node)
                           and slot >= :from
                           and slot <= :slot
                           and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                         order by slot desc, schedule_id desc, ordinal desc
                         limit :limit) as succeeded) as found
          left join lateral (
               select key
                 from carillon.schedule
                where id = found.schedule_id
                limit 1) as schedule  -- looked up one by one
            on true
         order by found.slot desc, found.schedule_id desc, found.ordinal desc
         limit :limit
        """,
        bind -> byState(page(bind, filter, limit), filter));
  }

  /* The index by target has one success of each second (column sampled). The latest of these seconds
   * and that of the start contain the page, and are read along the index by slot. With a trigger or a
   * node, a second may contain no match, so all of them are read. */
  private List<Measured> listOfTarget(Reading reading, RunFilter wide, int limit) {
    boolean narrowed = wide.trigger().isPresent() || wide.node().isPresent();
    boolean sampled = !narrowed && states(wide).contains(RunState.SUCCEEDED);
    RunFilter filter =
        sampled ? wide.between(fullFrom(reading.tx, wide, limit), wide.until()) : wide;
    return reading.runs(
        "list runs of a target",
        """
        select found.schedule_id, found.slot, found.ordinal, found.version, found.trigger, found.target,
               case when :payloads then found.payload end as payload, found.due_at, found.state, found.attempt,
               found.overlap, found.policy, found.node_id, found.started_at, found.finished_at, found.failure_code,
               found.failure_message, found.failure_details, found.reason, found.progress, found.attempts,
               found.correlation, found.external_id, schedule.key
          from (select live.*
                  from (select *
                          from carillon.live_run
                         where target = :target
                           and state = any(:live)
                           and (:dueBy::timestamptz is null or state <> 'pending' or due_at <= :dueBy)
                           and (:trigger::text is null or trigger = :trigger)
                           and (:node::uuid is null or node_id = :node)
                           and slot >= :from
                           and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                         order by slot desc, schedule_id desc, ordinal desc
                         limit :limit) as live
                 union all
                select unsuccessful.*
                  from unnest(:unsuccessful) as wanted (state)
                 cross join lateral (
                       select *
                         from carillon.ended_run
                        where ended_run.target = :target
                          and ended_run.state = wanted.state
                          and ended_run.state <> 'succeeded'
                          and (:trigger::text is null or trigger = :trigger)
                          and (:node::uuid is null or node_id = :node)
                          and slot >= :from
                          and slot <= :slot
                          and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                        order by slot desc, schedule_id desc, ordinal desc
                        limit :limit) as unsuccessful
                 union all
                select succeeded.*
                  from (select :second::timestamptz as second
                         where :succeeded
                         union
                        select date_trunc('second', sample.slot)
                          from (select slot
                                  from carillon.history
                                 where :succeeded
                                   and sampled
                                   and target = :target
                                   and slot >= :fromSecond
                                   and slot < :second
                                 order by slot desc
                                 limit :samples) as sample) as span
                 cross join lateral (
                       select *
                         from carillon.ended_run
                        where state = 'succeeded'
                          and target = :target
                          and (:trigger::text is null or trigger = :trigger)
                          and (:node::uuid is null or node_id = :node)
                          and slot >= span.second
                          and slot < span.second + interval '1 second'
                          and slot >= :from
                          and slot <= :slot
                          and (slot, schedule_id, ordinal) < (:slot, :schedule, :ordinal)
                        order by slot desc, schedule_id desc, ordinal desc
                        limit :limit) as succeeded) as found
          left join lateral (
               select key
                 from carillon.schedule
                where id = found.schedule_id
                limit 1) as schedule  -- looked up one by one
            on true
         order by found.slot desc, found.schedule_id desc, found.ordinal desc
         limit :limit
        """,
        bind ->
            byState(page(bind, filter, limit), filter)
                .set("target", filter.target())
                .set("second", start(filter).slot().truncatedTo(ChronoUnit.SECONDS))
                .set("fromSecond", filter.from().truncatedTo(ChronoUnit.SECONDS))
                .set("samples", narrowed ? Integer.MAX_VALUE : limit));
  }

  /* The sampled successes from here on fill the page, so older partitions need not be planned for,
   * which takes longer than reading the page. */
  private static Instant fullFrom(Transaction tx, RunFilter filter, int limit) {
    return tx.first(
            "find the end of a page",
            """
            select slot
              from carillon.history
             where sampled
               and target = :target
               and slot >= :from
               and slot < :second
             order by slot desc
            offset :before
             limit 1
            """,
            bind ->
                bind.set("target", filter.target())
                    .set("from", filter.from())
                    .set("second", start(filter).slot().truncatedTo(ChronoUnit.SECONDS))
                    .set("before", limit - 1),
            row -> row.instant("slot"))
        .orElse(filter.from());
  }

  /** Return up to {@code each} started runs of each of the schedules, latest first, by key. */
  public Map<String, List<RecentRun>> recent(Collection<String> keys, int each) {
    var recent = new LinkedHashMap<String, List<RecentRun>>();
    database.query(
        "list recent runs",
        """
        select schedule.key, latest.schedule_id, latest.slot, latest.ordinal, latest.state, latest.started_at,
               latest.finished_at
          from unnest((select :keys)) as wanted (key)
         cross join lateral (
               select id, key
                 from carillon.schedule
                where key = wanted.key
                limit 1) as schedule
         cross join lateral (
               select schedule_id, slot, ordinal, state, started_at, finished_at
                 from carillon.any_run
                where any_run.schedule_id = schedule.id
                  and any_run.state <> 'pending'
                order by slot desc, ordinal desc
                limit :each) as latest
         order by schedule.key, latest.slot desc, latest.ordinal desc
        """,
        bind -> bind.each("keys", "text", keys, key -> key).set("each", each),
        row ->
            recent.computeIfAbsent(row.text("key"), key -> new ArrayList<>()).add(toRecent(row)));
    return recent;
  }

  /** Return the track records of those of {@code versions} that have runs. */
  public Map<VersionRef, TrackRecord> trackRecords(Collection<VersionRef> versions) {
    var records = new LinkedHashMap<VersionRef, TrackRecord>();
    Set<VersionRef> sure = addRecords(List.copyOf(versions), FIRST_RUNS, records);
    List<VersionRef> open = versions.stream().filter(version -> !sure.contains(version)).toList();
    if (!open.isEmpty()) {
      addRecords(open, MAX_RUNS, records);
    }
    return records;
  }

  /* Returns the versions whose record earlier runs cannot change. */
  private Set<VersionRef> addRecords(
      List<VersionRef> wanted, int most, Map<VersionRef, TrackRecord> records) {
    var sure = new HashSet<VersionRef>();
    database.query(
        "look at the runs of versions",
        """
        select wanted.place, latest.schedule_id, latest.slot, latest.ordinal, latest.state, latest.started_at,
               latest.finished_at, latest.failures, latest.sure
          from unnest((select :schedules), (select :versions), (select :untils))
               with ordinality as wanted (schedule_id, version, until, place)
         cross join lateral (
               select schedule_id, slot, ordinal, state, started_at, finished_at,
                      count(*) filter (where state = 'failed' and not mended) over () as failures,
                      bool_or(mended) over () as sure
                 from (select looked.*, bool_or(state = 'succeeded') over (order by slot desc, ordinal desc) as mended
                         from (select schedule_id, slot, ordinal, version, state, started_at, finished_at
                                 from carillon.any_run
                                where any_run.schedule_id = wanted.schedule_id
                                  and any_run.slot <= wanted.until
                                  and any_run.state <> 'pending'
                                order by slot desc, ordinal desc
                                limit :most) as looked
                        where looked.version = wanted.version) as judged
                order by slot desc, ordinal desc
                limit 1) as latest
        """,
        bind ->
            bind.each("schedules", "bigint", wanted, VersionRef::schedule)
                .each("versions", "int", wanted, VersionRef::version)
                .each("untils", "timestamptz", wanted, VersionRef::until)
                .set("most", most),
        row -> {
          VersionRef version = wanted.get(Math.toIntExact(row.number("place")) - 1);
          if (row.flag("sure")) {
            sure.add(version);
          }
          return records.put(
              version, new TrackRecord(toRecent(row), Math.toIntExact(row.number("failures"))));
        });
    return sure;
  }

  private static RecentRun toRecent(Row row) {
    return new RecentRun(
        RunRows.toId(row),
        row.constant("state", RunState.class),
        row.optionalInstant("started_at"),
        row.optionalInstant("finished_at"));
  }

  /** Return failed runs that are not dismissed, latest first. */
  public List<Run> deadLetters(Instant before, int limit) {
    return database.query(
        "list dead letters",
        """
        select ended_run.*, schedule.key
          from carillon.ended_run
          left join carillon.schedule
            on schedule.id = ended_run.schedule_id
         where ended_run.state = 'failed'
           and ended_run.finished_at < :before
           and not exists (select 1
                             from carillon.dismissal
                            where dismissal.schedule_id = ended_run.schedule_id
                              and dismissal.slot = ended_run.slot
                              and dismissal.ordinal = ended_run.ordinal
                              and dismissal.attempt = ended_run.attempt)
         order by ended_run.finished_at desc
         limit :limit
        """,
        bind -> bind.set("before", before).set("limit", limit),
        RunRows::toRun);
  }

  private static Bind page(Bind bind, RunFilter filter, int limit) {
    RunId start = start(filter);
    return bind.set("trigger", filter.trigger().map(EnumText::of))
        .set("node", filter.node())
        .set("dueBy", filter.dueBy())
        .set("from", filter.from())
        .set("slot", start.slot())
        .set("schedule", start.schedule())
        .set("ordinal", start.ordinal())
        .set("limit", limit);
  }

  private static Bind byState(Bind bind, RunFilter filter) {
    List<RunState> states = states(filter);
    List<RunState> live = states.stream().filter(state -> !state.isFinal()).toList();
    List<RunState> unsuccessful =
        states.stream().filter(state -> state.isFinal() && state != RunState.SUCCEEDED).toList();
    return bind.array("live", "text", live, EnumText::of)
        .array("unsuccessful", "text", unsuccessful, EnumText::of)
        .set("succeeded", states.contains(RunState.SUCCEEDED));
  }

  private static List<RunState> states(RunFilter filter) {
    return filter.state().map(List::of).orElse(List.of(RunState.values()));
  }

  /* The last run of the page before, or the end of the period; a page comes after it. */
  private static RunId start(RunFilter filter) {
    var end = new RunId(0, filter.until(), 0);
    return filter.after().filter(last -> last.slot().isBefore(end.slot())).orElse(end);
  }
}
