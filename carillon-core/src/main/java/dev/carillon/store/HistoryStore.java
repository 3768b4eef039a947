package dev.carillon.store;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Makes the partitions of the history ahead of time and drops those that are past retention.
 *
 * <p>Changing partitions needs a lock that finishing runs would wait behind, so it is asked for
 * with very little patience, and asked for again on another day.
 */
public final class HistoryStore {
  /* A week: half a year of history is some 27 partitions, and what is dropped is a week at most late. */
  private static final int DAYS = 7;
  private static final LocalDate FIRST_MONDAY = LocalDate.of(1970, 1, 5);

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /**
   * Make the partitions from {@code from} up to {@code until} that do not exist; return how many.
   */
  public int prepare(Instant from, Instant until) {
    int made = 0;
    List<String> existing = partitions();
    for (LocalDate week = week(from);
        !week.atStartOfDay(ZoneOffset.UTC).toInstant().isAfter(until);
        week = week.plusDays(DAYS)) {
      if (!existing.contains(name(week))) {
        create(week);
        made++;
      }
    }
    return made;
  }

  /* Not a statement with parameters: names of tables and bounds of partitions cannot be any. Both
   * are made from a date alone. */
  private void create(LocalDate week) {
    String name = name(week);
    impatiently(
        () -> {
          database.script(
              "lock default partition", // against another node that makes the same partition
              "lock table carillon.history_default in access exclusive mode");
          if (!partitions().contains(name)) {
            database.script(
                "create partition",
                """
                create table carillon.%s (like carillon.history including defaults including constraints);
                with moved as (
                  delete from carillon.history_default
                   where slot >= '%s 00:00:00+00' and slot < '%s 00:00:00+00'
                  returning *)
                insert into carillon.%s select * from moved;
                alter table carillon.history attach partition carillon.%s
                  for values from ('%s 00:00:00+00') to ('%s 00:00:00+00');
                comment on table carillon.%s is 'Finished runs of the slots of one week.';
                """
                    .formatted(
                        name,
                        week,
                        week.plusDays(DAYS),
                        name,
                        name,
                        week,
                        week.plusDays(DAYS),
                        name));
          }
        });
  }

  /** Drop the partitions whose every slot is older than {@code oldest}; return their names. */
  public List<String> drop(Instant oldest) {
    LocalDate kept = week(oldest);
    List<String> dropped =
        partitions().stream()
            .filter(name -> name.startsWith("history_2") || name.startsWith("history_1"))
            .filter(name -> name.compareTo(name(kept)) < 0)
            .toList();
    for (String name : dropped) {
      impatiently(
          () ->
              database.script(
                  "detach partition",
                  "alter table carillon.history detach partition carillon.%s".formatted(name)));
      database.script("drop partition", "drop table if exists carillon.%s;".formatted(name));
    }
    return dropped;
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
            limit);
  }

  private int delete(String name, String sql, Instant oldest, int limit) {
    return database.update(name, sql, bind -> bind.set("oldest", oldest).set("limit", limit));
  }

  private void impatiently(Runnable change) {
    database.inTransaction(
        () -> {
          database.script("be impatient", "set local lock_timeout = '200ms'");
          change.run();
          return true;
        });
  }

  private List<String> partitions() {
    return database.query(
        "list partitions",
        """
        select child.relname as name
          from pg_inherits
          join pg_class as child
            on child.oid = pg_inherits.inhrelid
         where pg_inherits.inhparent = 'carillon.history'::regclass
         order by child.relname
        """,
        row -> row.text("name"));
  }

  private static LocalDate week(Instant at) {
    LocalDate day = at.atZone(ZoneOffset.UTC).toLocalDate();
    return day.minusDays(Math.floorMod(ChronoUnit.DAYS.between(FIRST_MONDAY, day), DAYS));
  }

  private static String name(LocalDate week) {
    return "history_" + week.toString().replace("-", "");
  }
}
