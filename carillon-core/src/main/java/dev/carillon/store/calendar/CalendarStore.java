package dev.carillon.store.calendar;

import dev.carillon.definition.CalendarJson;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.CalendarVersion;
import dev.carillon.model.Page;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads calendars. {@link CalendarChanges} changes them. */
public final class CalendarStore {
  private CalendarStore() {}

  /** Load the calendars called {@code names}, in one statement; others than those are left out. */
  public static Map<String, LoadedCalendar> load(Statements statements, Collection<String> names) {
    if (names.isEmpty()) {
      return Map.of();
    }
    Map<String, Stored> found =
        statements.map(
            "load calendars",
            """
            with wanted as (
              select calendar.name, calendar.version, version.definition, version.combines
                from carillon.calendar
                join carillon.calendar_version as version
                  on version.name = calendar.name and version.version = calendar.version
               where calendar.name = any(:names)
                 and calendar.deleted_at is null)
            select name, version, definition
              from wanted
             union all
            select part.name, part.version, version.definition
              from carillon.calendar as part
              join carillon.calendar_version as version
                on version.name = part.name and version.version = part.version
             where part.name in (select unnest(combines) from wanted)
               and part.name <> all(:names)
               and part.deleted_at is null
            """,
            bind -> bind.each("names", "text", names, name -> name),
            row -> row.text("name"),
            Stored::of);
    var loaded = new HashMap<String, LoadedCalendar>();
    Set.copyOf(names).stream()
        .filter(found::containsKey)
        .forEach(name -> loaded.put(name, resolved(name, found)));
    return loaded;
  }

  private record Stored(int version, String definition) {
    static Stored of(Row row) {
      return new Stored(row.integer("version"), row.text("definition"));
    }
  }

  private static LoadedCalendar resolved(String name, Map<String, Stored> found) {
    Stored stored = Optional.ofNullable(found.get(name)).orElseThrow();
    try {
      BusinessCalendar calendar =
          CalendarJson.stored(name, stored.definition()).resolve(part -> part(part, found));
      return new LoadedCalendar(stored.version(), Optional.of(calendar), "");
    } catch (RuntimeException e) { // whatever an earlier or later version has stored
      return new LoadedCalendar(
          stored.version(),
          Optional.empty(),
          "calendar '%s' cannot be read: %s".formatted(name, e.getMessage()));
    }
  }

  private static BusinessCalendar part(String name, Map<String, Stored> found) {
    return Optional.ofNullable(found.get(name))
        .flatMap(stored -> CalendarJson.stored(name, stored.definition()).own())
        .orElseThrow(
            () -> new InvalidValueException("calendar '%s' does not exist".formatted(name)));
  }

  /** Return the names of all calendars, in order; at most a thousand. */
  public static List<String> names(Statements statements) {
    return statements.query(
        "list names of calendars",
        """
        select name
          from carillon.calendar
         where deleted_at is null
         order by name
         limit 1000
        """,
        row -> row.text("name"));
  }

  /** Find the current version of a calendar. */
  public static Optional<CalendarVersion> find(Statements statements, String name) {
    if (!StorableText.is(name)) {
      return Optional.empty();
    }
    return statements.first(
        "find a calendar",
        """
        select version.name, version.version, version.definition, version.reason, version.created_at,
               version.created_by
          from carillon.calendar
          join carillon.calendar_version as version
            on version.name = calendar.name and version.version = calendar.version
         where calendar.name = :name
           and calendar.deleted_at is null
        """,
        bind -> bind.set("name", name),
        CalendarStore::toVersion);
  }

  /** Find a version that a calendar has or had. */
  public static Optional<CalendarVersion> version(Statements statements, String name, int version) {
    if (!StorableText.is(name)) {
      return Optional.empty();
    }
    return statements.first(
        "find a version of a calendar",
        """
        select name, version, definition, reason, created_at, created_by
          from carillon.calendar_version
         where name = :name
           and version = :version
        """,
        bind -> bind.set("name", name).set("version", version),
        CalendarStore::toVersion);
  }

  /** Return a page of the calendars, by name. */
  public static Page<CalendarVersion> page(Database database, Optional<String> after, int limit) {
    Pages.checked(limit);
    Optional<String> last = after.map(token -> PageToken.text(PageToken.Of.CALENDARS, token));
    return database.inTransaction(
        tx -> {
          PageRoom room = PageRoom.of(limit);
          List<CalendarVersion> found =
              room.read(
                  tx,
                  "page calendars",
                  """
                  select version.name, version.version, version.definition, version.reason, version.created_at,
                         version.created_by
                    from carillon.calendar
                    join carillon.calendar_version as version
                      on version.name = calendar.name and version.version = calendar.version
                   where calendar.deleted_at is null
                     and (:last::text is null or calendar.name > :last)
                   order by calendar.name
                   limit :limit
                  """,
                  bind -> bind.set("last", last).set("limit", limit + 1),
                  CalendarStore::toVersion);
          return Pages.of(found, room, PageToken.Of.CALENDARS, CalendarVersion::name);
        });
  }

  /** Return a page of the versions of a calendar, newest first. */
  public static Page<CalendarVersion> versions(
      Database database, String name, Optional<String> after, int limit) {
    Pages.checked(limit);
    Optional<Long> below = after.map(token -> PageToken.number(PageToken.Of.CALENDARS, token));
    if (!StorableText.is(name)) {
      return new Page<>(List.of(), Optional.empty());
    }
    return database.inTransaction(
        tx -> {
          PageRoom room = PageRoom.of(limit);
          List<CalendarVersion> found =
              room.read(
                  tx,
                  "page versions of a calendar",
                  """
                  select name, version, definition, reason, created_at, created_by
                    from carillon.calendar_version
                   where name = :name
                     and (:below::bigint is null or version < :below)
                   order by version desc
                   limit :limit
                  """,
                  bind -> bind.set("name", name).set("below", below).set("limit", limit + 1),
                  CalendarStore::toVersion);
          return Pages.of(
              found, room, PageToken.Of.CALENDARS, version -> Integer.toString(version.version()));
        });
  }

  /** Return who uses a calendar, of schedules those that {@code scope} reaches. */
  public static Users users(Statements statements, String name, Scope scope, int most) {
    return new CalendarUsers(statements).of(name, scope, most);
  }

  static CalendarVersion toVersion(Row row) {
    CalendarDefinition definition =
        CalendarJson.stored(row.text("name"), row.optionalJson("definition").orElse("{}"));
    return new CalendarVersion(
        row.integer("version"), definition, row.text("reason"), row.changedBy("created"));
  }
}
