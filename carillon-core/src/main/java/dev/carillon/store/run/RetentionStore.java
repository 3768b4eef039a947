package dev.carillon.store.run;

import dev.carillon.store.jdbc.Database;
import java.time.Instant;

/** Deletes rows past retention that are in no dropped partition. */
public final class RetentionStore {
  private final Database database;

  public RetentionStore(Database database) {
    this.database = database;
  }

  /** Delete up to {@code limit} old rows that no partition drop removes; return how many. */
  public int sweep(Instant oldest, int limit) {
    return delete(
            "sweep history",
            """
            delete from carillon.history_default
             where ctid = any (array(select ctid
                                       from carillon.history_default
                                      where finished_at < :oldest
                                      limit :limit))
            """,
            oldest,
            limit)
        + delete(
            "sweep decisions",
            """
            delete from carillon.decision
             where ctid = any (array(select ctid
                                       from carillon.decision
                                      where decided_at < :oldest
                                      limit :limit))
            """,
            oldest,
            limit)
        + delete(
            "sweep audit",
            """
            delete from carillon.audit
             where ctid = any (array(select ctid
                                       from carillon.audit
                                      where at < :oldest
                                      limit :limit))
            """,
            oldest,
            limit)
        + delete(
            "sweep dismissals",
            """
            delete from carillon.dismissal
             where ctid = any (array(select ctid
                                       from carillon.dismissal
                                      where dismissed_at < :oldest
                                        and not exists (select 1
                                                          from carillon.history
                                                         where history.schedule_id = dismissal.schedule_id
                                                           and history.slot = dismissal.slot
                                                           and history.ordinal = dismissal.ordinal)
                                      limit :limit))
            """,
            oldest,
            limit);
  }

  private int delete(String name, String sql, Instant oldest, int limit) {
    return database.update(name, sql, bind -> bind.set("oldest", oldest).set("limit", limit));
  }
}
