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
 * Creates the partitions of the history ahead of time and drops those past retention.
 *
 * <p>Both need a lock that waits for every reader, and behind which the ends of runs queue. So the
 * lock timeout is very short, and a partition that cannot be locked is left for the next time.
 */
public final class HistoryStore {
  /* Half a year of history has some 27 partitions of a week, each dropped at most a week late. */
  private static final int DAYS = 7;
  private static final Pattern OF_A_WEEK = Pattern.compile("history_\\d{8}");
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final LocalDate FIRST_MONDAY = LocalDate.of(1970, 1, 5);

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /** Create the missing partitions from {@code from} to {@code until}; return whether all exist. */
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

  /* Names of tables and bounds of partitions cannot be parameters; both are made from a date. */
  private boolean create(LocalDate week) {
    String name = name(week);
    return withShortLockTimeout(
        tx -> {
          tx.script(
              "lock default partition", // against another node that creates the same partition
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

  /** Drop the partitions with only slots before {@code oldest}; return whether all are dropped. */
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

  /** Return where the oldest partition that {@link #drop} keeps begins. */
  public static Instant kept(Instant oldest) {
    return week(oldest).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /* Longer than the ends of runs lock the history, and short enough for them to wait. */
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
