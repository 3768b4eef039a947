package dev.carillon.store.calendar;

import dev.carillon.definition.BusinessTimeJson;
import dev.carillon.model.QuietPolicy;
import dev.carillon.policy.QuietScope;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.QuietHours;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Reads all calendars and quiet hours, and keeps them until one of them has changed. */
public final class RuleBooks {
  private static final int MAX_COMPILED = 2_000;

  /* A calendar is costly to make of its text, and most texts stay. */
  private static final Map<Text, Object> COMPILED =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Text, Object> eldest) {
          return size() > MAX_COMPILED;
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
    var calendars = new HashMap<String, BusinessCalendar>();
    var quietPolicies = new HashMap<String, QuietPolicy>();
    long revision =
        statements
            .query(
                "read calendars and quiet hours",
                """
                select business_time.revision, rule.kind, rule.name, rule.definition::text as definition, rule.scope,
                       rule.tag
                  from carillon.business_time
                  left join (select 'calendar' as kind, name, definition, null as scope, null as tag
                               from carillon.calendar
                              union all
                             select 'quiet_hours', name, definition, scope, tag
                               from carillon.quiet_hours) as rule
                    on business_time.revision > 0
                """,
                row -> {
                  row.optionalText("kind")
                      .ifPresent(kind -> add(row, kind, calendars, quietPolicies));
                  return row.number("revision");
                })
            .stream()
            .findFirst()
            .orElse(0L);
    return new Revised(
        revision, revision == 0 ? RuleBook.EMPTY : new RuleBook(calendars, quietPolicies));
  }

  private static void add(
      Row row,
      String kind,
      Map<String, BusinessCalendar> calendars,
      Map<String, QuietPolicy> quietPolicies) {
    var text = new Text(kind, row.text("name"), row.text("definition"));
    if (kind.equals("calendar")) {
      calendars.put(text.name, calendar(text.name, text.definition));
    } else {
      var scope =
          new QuietScope(row.constant("scope", QuietScope.Kind.class), row.optionalText("tag"));
      quietPolicies.put(text.name, new QuietPolicy(quietHours(text.name, text.definition), scope));
    }
  }

  static BusinessCalendar calendar(String name, String definition) {
    return (BusinessCalendar)
        compiled(
            new Text("calendar", name, definition),
            () -> BusinessTimeJson.readCalendar(name, definition));
  }

  static QuietHours quietHours(String name, String definition) {
    return (QuietHours)
        compiled(
            new Text("quiet_hours", name, definition),
            () -> BusinessTimeJson.readQuietHours(name, definition));
  }

  private static Object compiled(Text text, Supplier<Object> make) {
    synchronized (COMPILED) {
      Object known = COMPILED.get(text);
      if (known != null) {
        return known;
      }
    }
    Object made = make.get();
    synchronized (COMPILED) {
      COMPILED.put(text, made);
    }
    return made;
  }
}
