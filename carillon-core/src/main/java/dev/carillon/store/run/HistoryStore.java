package dev.carillon.store.run;

import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Makes the partitions of the history ahead of time and drops those that are past retention.
 *
 * <p>Changing partitions needs a lock for which every reader must be done, and behind which runs
 * that end wait in line. So it is asked for with very little patience: what cannot be had at once
 * is left for the next time.
 */
public final class HistoryStore {
  /* A week: half a year of history is some 27 partitions, and what is dropped is a week at most late. */
  private static final int DAYS = 7;
  private static final Pattern OF_A_WEEK = Pattern.compile("history_\\d{8}");
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final LocalDate FIRST_MONDAY = LocalDate.of(1970, 1, 5);

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /**
   * Make the partitions from {@code from} up to {@code until} that do not exist; return whether all
   * of them do now.
   */
  public boolean prepare(Instant from, Instant until) {
    boolean all = true;
    List<String> existing = partitions(database);
    for (LocalDate week = week(from);
        !week.atStartOfDay(ZoneOffset.UTC).toInstant().isAfter(until);
        week = week.plusDays(DAYS)) {
      if (!existing.contains(name(week))) {
        all &= create(week);
      }
    }
    return all;
  }

  /* Not a statement with parameters: names of tables and bounds of partitions cannot be any. Both
   * are made from a date alone. */
  private boolean create(LocalDate week) {
    String name = name(week);
    return withShortLockTimeout(
        tx -> {
          tx.script(
              "lock default partition", // against another node that makes the same partition
              "lock table carillon.history_default in access exclusive mode");
          if (!partitions(tx).contains(name)) {
            tx.script(
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

  /**
   * Drop the partitions whose every slot is older than {@code oldest}; return whether all of them
   * are gone.
   *
   * <p>Not detached first: dropping holds the lock no longer than that, as PostgreSQL deletes the
   * files after it let go, and a partition is either there or not.
   */
  public boolean drop(Instant oldest) {
    boolean all = true;
    for (String name : partitions(database)) {
      if (OF_A_WEEK.matcher(name).matches() && name.compareTo(name(week(oldest))) < 0) {
        all &=
            withShortLockTimeout(
                tx ->
                    tx.script(
                        "drop partition", "drop table if exists carillon.%s".formatted(name)));
      }
    }
    return all;
  }

  /** Return where the oldest partition that {@link #drop} leaves begins. */
  public static Instant kept(Instant oldest) {
    return week(oldest).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /* Longer than runs that end hold on to the history, and too short for them to be missed. */
  private boolean withShortLockTimeout(Consumer<Transaction> change) {
    try {
      return database.inTransaction(
          tx -> {
            tx.script("limit the wait for locks", "set local lock_timeout = '50ms'");
            change.accept(tx);
            return true;
          });
    } catch (StoreException e) {
      if (e.sqlState().filter(LOCK_NOT_AVAILABLE::equals).isPresent()) {
        return false;
      }
      throw e;
    }
  }

  private static List<String> partitions(Statements statements) {
    return statements.query(
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
