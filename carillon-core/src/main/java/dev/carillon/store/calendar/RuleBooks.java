package dev.carillon.store.calendar;

import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** Reads all calendars and quiet hours, and keeps them until one of them has changed. */
public final class RuleBooks {
  private static final int MAX_PARSED = 2_000;

  /* A calendar is costly to make of its text, and most texts stay. */
  private static final Map<Text, Object> PARSED =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Text, Object> eldest) {
          return size() > MAX_PARSED;
        }
      };

  private record Text(String kind, String name, String definition) {}

  private record Revised(long revision, RuleBook book) {}

  private volatile Revised latest = new Revised(0, RuleBook.EMPTY);

  /** Return what holds at {@code revision}, which is read with what it is wanted for. */
  public RuleBook at(Statements statements, long revision) {
    Revised known = latest;
    if (known.revision != revision) {
      known = load(statements);
      latest = known;
    }
    return known.book;
  }

  /** Return what holds now, read only if it has changed since. */
  public RuleBook current(Statements statements) {
    long revision =
        statements
            .query(
                "read how often calendars changed",
                """
                select revision
                  from carillon.business_time
                """,
                row -> row.number("revision"))
            .stream()
            .findFirst()
            .orElse(0L);
    return at(statements, revision);
  }

  /** Return what was read last. */
  RuleBook latest() {
    return latest.book;
  }

  /** Return what holds now. */
  public static RuleBook read(Statements statements) {
    return load(statements).book;
  }

  /** Lock calendars and quiet hours for a change of them, and return what holds before it. */
  public static RuleBook change(Transaction tx) {
    tx.update(
        "change calendars and quiet hours",
        """
        insert into carillon.business_time (revision)
        values (1)
            on conflict (only_row) do update
           set revision = business_time.revision + 1
        """,
        bind -> {});
    return read(tx);
  }

  /** Return what holds until {@code tx} ends: those who change it wait. */
  public static RuleBook readLocked(Transaction tx) {
    tx.query(
        "lock calendars and quiet hours",
        """
        select revision
          from carillon.business_time  -- against changes of calendars and quiet hours, which wait
           for share
        """,
        row -> row.number("revision"));
    return read(tx);
  }

  private static Revised load(Statements statements) {
    var loading = new RuleBook.Builder();
    long revision =
        statements
            .query(
                "read calendars and quiet hours",
                """
                select business_time.revision, rule.kind, rule.name, rule.definition::text as definition
                  from carillon.business_time
                  left join (select 'calendar' as kind, calendar.name, version.definition
                               from carillon.calendar
                               join carillon.calendar_version as version
                                 on version.name = calendar.name and version.version = calendar.version
                              where calendar.deleted_at is null
                              union all
                             select 'quiet_hours', quiet_hours.name, version.definition
                               from carillon.quiet_hours
                               join carillon.quiet_hours_version as version
                                 on version.name = quiet_hours.name and version.version = quiet_hours.version
                              where quiet_hours.deleted_at is null) as rule
                    on true
                """,
                row -> {
                  row.optionalText("kind").ifPresent(kind -> add(row, kind, loading));
                  return row.number("revision");
                })
            .stream()
            .findFirst()
            .orElse(0L);
    return new Revised(revision, revision == 0 ? RuleBook.EMPTY : loading.build());
  }

  private static void add(Row row, String kind, RuleBook.Builder loading) {
    var text = new Text(kind, row.text("name"), row.text("definition"));
    try {
      if (kind.equals("calendar")) {
        loading.add((CalendarDefinition) parsed(text, CalendarJson::stored));
      } else {
        loading.add((QuietHoursDefinition) parsed(text, QuietHoursJson::stored));
      }
    } catch (RuntimeException e) { // whatever an earlier or later version has stored
      loading.unreadable(text.name, String.valueOf(e.getMessage()));
    }
  }

  private static Object parsed(Text text, BiFunction<String, String, Object> parser) {
    synchronized (PARSED) {
      Object known = PARSED.get(text);
      if (known != null) {
        return known;
      }
    }
    Object made = parser.apply(text.name, text.definition);
    synchronized (PARSED) {
      PARSED.put(text, made);
    }
    return made;
  }
}
