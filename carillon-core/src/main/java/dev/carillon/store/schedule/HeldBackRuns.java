package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Holds back runs that were planned for an earlier time, did not start by then, and would now start
 * in quiet time. Retries and runs that somebody asked for are not held back.
 */
public final class HeldBackRuns {
  /** The most schedules that one call looks at. */
  public static final int BATCH = 100;

  /* More than a node claims at once. */
  private static final int MAX_RUNS = 5_000;

  private final Transaction tx;

  public HeldBackRuns(Transaction tx) {
    this.tx = tx;
  }

  /**
   * Hold back runs of {@code targets} that would start by {@code until}.
   *
   * @return how many were put off or dropped
   */
  public long holdBack(Collection<String> targets, Instant until, Instant now) {
    RuleBook book = RuleBooks.read(tx);
    List<Long> ids = find(targets, until, book.quietAt(List.of(now, until)));
    if (ids.isEmpty()) {
      return 0;
    }
    List<LockedSchedule> locked = new ScheduleLocks(tx).cursors(ids);
    Instant notBefore = ScheduleChanges.notBefore(locked, new ChangedBy(now, "carillon")).at();
    return new Replanner(tx, book, notBefore).holdBack(locked, until);
  }

  private List<Long> find(Collection<String> targets, Instant until, RuleBook.Quiet quiet) {
    return tx.query(
        "find runs that would start in quiet time",
        """
        select distinct run.schedule_id
          from unnest(:targets) as open (target)
         cross join lateral (
               select schedule_id
                 from carillon.planned_run
                where target = open.target
                  and wake_at <= :until
                order by wake_at
                limit :most) as run
          join carillon.schedule
            on schedule.id = run.schedule_id
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
         where :everything
            or version.tags && :tags
            or version.definition ->> 'quietHours' = any(:names)
         limit :batch
        """,
        bind ->
            bind.set("until", until)
                .set("most", MAX_RUNS)
                .set("batch", BATCH)
                .set("everything", quiet.everything())
                .array("targets", "text", targets, target -> target)
                .each("tags", "text", quiet.tags(), tag -> tag)
                .array("names", "text", quiet.names(), name -> name),
        row -> row.number("schedule_id"));
  }
}
