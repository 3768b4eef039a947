package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Expectation;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Schedules that are expected to succeed now and then, and when to look at each. */
public final class ExpectationStore {
  /* A run may end long after its slot: successes are looked for from so long before a change. */
  private static final Duration LONGEST_RUN = Duration.ofDays(1);

  private final Database database;

  public ExpectationStore(Database database) {
    this.database = database;
  }

  /**
   * A schedule to look at.
   *
   * @param expectation what it says now; empty if nothing, or if that cannot be read
   * @param changedAt when it was last stored, paused or resumed
   * @param last the last success that is known
   * @param silent whether it was found silent before
   */
  public record Expected(
      long schedule,
      String key,
      String target,
      ScheduleStatus status,
      Optional<Expectation> expectation,
      Instant changedAt,
      Optional<Success> last,
      boolean silent) {
    Instant lookFrom() {
      return last.map(Success::slot).orElseGet(() -> changedAt.minus(LONGEST_RUN));
    }
  }

  /** A run that succeeded. */
  public record Success(Instant slot, Instant at) {}

  /**
   * What was found.
   *
   * @param checkAt when to look again
   * @param last the last success
   * @param silent whether it is silent
   */
  public record Found(long schedule, Instant checkAt, Optional<Success> last, boolean silent) {}

  /** Have {@code schedules}, which were stored with an expectation, looked at by {@code now}. */
  static void insert(Transaction tx, Collection<Long> schedules, Instant now) {
    if (schedules.isEmpty()) {
      return;
    }
    tx.update(
        "expect successes",
        """
        insert into carillon.expectation (schedule_id, check_at)
        select id, :now
          from unnest(:ids) as expected (id)
         order by id
            on conflict (schedule_id) do update set check_at = excluded.check_at
        """,
        bind -> bind.set("now", now).array("ids", "bigint", schedules, id -> id));
  }

  /** Return when the next schedule is to be looked at. */
  public Optional<Instant> next() {
    return database.first(
        "find the next expectation",
        """
        select check_at
          from carillon.expectation
         order by check_at
         limit 1
        """,
        bind -> {},
        row -> row.instant("check_at"));
  }

  /** Lock up to {@code limit} expectations to look at, those that wait longest first. */
  public List<Expected> lockDue(Transaction tx, Instant now, int limit) {
    return tx.query(
        "lock expectations",
        """
        select expectation.schedule_id, expectation.last_success, expectation.last_slot,
               expectation.silent_since is not null as silent,
               schedule.key, schedule.status, schedule.updated_at, version.target, version.definition
          from carillon.expectation  -- against other nodes, which skip it
          join carillon.schedule
            on schedule.id = expectation.schedule_id
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where expectation.check_at <= :now
         order by expectation.check_at
         limit :limit
           for update of expectation skip locked
        """,
        bind -> bind.set("now", now).set("limit", limit),
        ExpectationStore::expected);
  }

  private static Expected expected(Row row) {
    return new Expected(
        row.number("schedule_id"),
        row.text("key"),
        row.text("target"),
        row.constant("status", ScheduleStatus.class),
        expectation(row),
        row.instant("updated_at"),
        row.optionalInstant("last_slot")
            .map(slot -> new Success(slot, row.instant("last_success"))),
        row.flag("silent"));
  }

  /* A definition that cannot be read is the planner's to report. */
  private static Optional<Expectation> expectation(Row row) {
    try {
      return DefinitionFields.expectation(row.text("definition"));
    } catch (IllegalArgumentException | ClassCastException e) {
      return Optional.empty();
    }
  }

  /** Return the success with the latest slot of each of {@code expected} that has one. */
  public Map<Long, Success> lastSuccesses(Transaction tx, List<Expected> expected) {
    return tx.map(
        "find expected successes",
        """
        select wanted.id, last.slot, last.finished_at
          from unnest((select :ids), (select :froms)) as wanted (id, look_from)
         cross join lateral (
               select history.slot, history.finished_at
                 from carillon.history
                where history.schedule_id = wanted.id
                  and history.slot >= wanted.look_from
                  and history.state = 'succeeded'
                order by history.slot desc, history.ordinal desc
                limit 1) as last
        """,
        bind ->
            bind.array("ids", "bigint", expected, Expected::schedule)
                .array("froms", "timestamptz", expected, Expected::lookFrom),
        row -> row.number("id"),
        row -> new Success(row.instant("slot"), row.instant("finished_at")));
  }

  /** Write what was found about locked expectations. */
  public void update(Transaction tx, List<Found> found, Instant now) {
    if (found.isEmpty()) {
      return;
    }
    tx.update(
        "update expectations",
        """
        update carillon.expectation
           set check_at = found.check_at, last_slot = found.last_slot, last_success = found.last_success,
               silent_since = case when found.silent then coalesce(expectation.silent_since, :now) end
          from unnest(:ids, :checks, :slots, :successes, :silent)
            as found (id, check_at, last_slot, last_success, silent)
         where expectation.schedule_id = found.id
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", found, Found::schedule)
                .array("checks", "timestamptz", found, Found::checkAt)
                .array("slots", "timestamptz", found, one -> one.last.map(Success::slot))
                .array("successes", "timestamptz", found, one -> one.last.map(Success::at))
                .array("silent", "boolean", found, Found::silent));
  }

  /** Forget schedules that expect nothing any more. */
  public void delete(Transaction tx, List<Expected> gone) {
    if (gone.isEmpty()) {
      return;
    }
    tx.update(
        "delete expectations",
        "delete from carillon.expectation where schedule_id = any(:ids)",
        bind -> bind.array("ids", "bigint", gone, Expected::schedule));
  }
}
