package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.RuleUse;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Replans the schedules that follow a changed calendar or keep changed quiet hours, some per
 * transaction. How far it has come is written down with each, so that any node goes on after a
 * crash.
 */
public final class Replans {
  private static final int BATCH = 100;
  private static final Duration KEPT = Duration.ofDays(1);

  private final Transaction tx;

  public Replans(Transaction tx) {
    this.tx = tx;
  }

  /**
   * A replanning that was asked for.
   *
   * @param schedules how many schedules were looked at so far
   * @param runs how many of their planned runs changed
   * @param done whether all were
   */
  public record Progress(long id, long schedules, long runs, boolean done) {}

  private record Item(long id, RuleUse use, long after) {}

  /** Ask for the schedules of {@code use} to be replanned, and return the number of that. */
  public long ask(RuleUse use, Instant now) {
    tx.update(
        "forget replanning",
        """
        delete from carillon.replan
         where done_at < :before
        """,
        bind -> bind.set("before", now.minus(KEPT)));
    return tx.one(
        "ask for replanning",
        """
        insert into carillon.replan (calendar, quiet_hours, tag, asked_at)
        values (:calendar, :quietHours, :tag, :now)
        returning id
        """,
        bind ->
            bind.set("calendar", use.calendar().orElse(null))
                .set("quietHours", use.quietHours().orElse(null))
                .set("tag", use.tag().orElse(null))
                .set("now", now),
        row -> row.number("id"));
  }

  /** Replan some schedules for whatever was asked first and nobody is at. */
  public void any(Instant now) {
    tx.first(
            "lock replanning",
            """
            select id, calendar, quiet_hours, tag, after_schedule
              from carillon.replan  -- against other nodes, which skip it
             where done_at is null
             order by id
             limit 1
               for update skip locked
            """,
            bind -> {},
            Replans::item)
        .ifPresent(item -> replan(item, now));
  }

  /** Replan some schedules for the one of number {@code id}. */
  public Progress one(long id, Instant now) {
    tx.first(
            "lock one replanning",
            """
            select id, calendar, quiet_hours, tag, after_schedule
              from carillon.replan  -- against other nodes, which come first
             where id = :id
               and done_at is null
               for update
            """,
            bind -> bind.set("id", id),
            Replans::item)
        .ifPresent(item -> replan(item, now));
    return tx.first(
            "read replanning",
            """
            select schedules, runs, done_at is not null as done
              from carillon.replan
             where id = :id
            """,
            bind -> bind.set("id", id),
            row -> new Progress(id, row.number("schedules"), row.number("runs"), row.flag("done")))
        .orElse(new Progress(id, 0, 0, true));
  }

  private static Item item(Row row) {
    return new Item(
        row.number("id"),
        new RuleUse(
            row.optionalText("calendar"), row.optionalText("quiet_hours"), row.optionalText("tag")),
        row.number("after_schedule"));
  }

  private void replan(Item item, Instant now) {
    List<Long> ids = new RuleUsers(tx).active(item.use, item.after, BATCH);
    List<LockedSchedule> locked = new ScheduleLocks(tx).cursors(ids);
    Instant notBefore = ScheduleChanges.notBefore(locked, new ChangedBy(now, "carillon")).at();
    long runs = new Replanner(tx, RuleBooks.read(tx), notBefore).replan(locked);
    Optional<Instant> done = ids.size() < BATCH ? Optional.of(now) : Optional.empty();
    tx.update(
        "advance replanning",
        """
        update carillon.replan
           set after_schedule = :after, schedules = schedules + :schedules, runs = runs + :runs, done_at = :done
         where id = :id
        """,
        bind ->
            bind.set("id", item.id)
                .set("after", ids.isEmpty() ? item.after : ids.get(ids.size() - 1))
                .set("schedules", ids.size())
                .set("runs", runs)
                .set("done", done.orElse(null)));
  }
}
