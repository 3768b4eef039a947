package dev.carillon.store.run;

import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
  private static final String PREFIX = "history_";
  private static final Pattern OF_A_WEEK = Pattern.compile(PREFIX + "\\d{8}");
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final LocalDate FIRST_MONDAY = LocalDate.of(1970, 1, 5);

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /** Create the missing partitions from {@code from} to {@code until}; return whether all exist. */
  public boolean prepare(Instant from, Instant until) {
    boolean all = true;
    List<String> existing = partitions();
    for (LocalDate week = week(from);
        !week.atStartOfDay(ZoneOffset.UTC).toInstant().isAfter(until);
        week = week.plusDays(DAYS)) {
      if (!existing.contains(name(week))) {
        all &= create(week);
      }
    }
    return all;
  }

  private boolean create(LocalDate week) {
    return change(
        "create partition", "select carillon.create_history_partition(:week::date)", week);
  }

  /** Drop the partitions with only slots before {@code oldest}; return whether all are dropped. */
  public boolean drop(Instant oldest) {
    boolean all = true;
    for (String name : partitions()) {
      if (OF_A_WEEK.matcher(name).matches() && name.compareTo(name(week(oldest))) < 0) {
        all &=
            change(
                "drop partition",
                "select carillon.drop_history_partition(:week::date)",
                LocalDate.parse(name.substring(PREFIX.length()), DateTimeFormatter.BASIC_ISO_DATE));
      }
    }
    return all;
  }

  /** Return where the oldest partition that {@link #drop} keeps begins. */
  public static Instant kept(Instant oldest) {
    return week(oldest).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /* The lock timeout is longer than the ends of runs lock the history, and short enough for them
   * to wait. */
  private boolean change(String name, String sql, LocalDate week) {
    try {
      return database.inTransaction(
          tx -> {
            tx.script("limit the wait for locks", "set local lock_timeout = '50ms'");
            tx.query(name, sql, bind -> bind.set("week", week.toString()), row -> true);
            return true;
          });
    } catch (StoreException e) {
      if (e.sqlState().filter(LOCK_NOT_AVAILABLE::equals).isPresent()) {
        return false;
      }
      throw e;
    }
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
    return PREFIX + DateTimeFormatter.BASIC_ISO_DATE.format(week);
  }
}
