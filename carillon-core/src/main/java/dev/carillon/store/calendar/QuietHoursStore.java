package dev.carillon.store.calendar;

import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.Page;
import dev.carillon.model.QuietHoursVersion;
import dev.carillon.model.Scope;
import dev.carillon.model.StorableText;
import dev.carillon.model.Users;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.PageRoom;
import dev.carillon.store.jdbc.PageToken;
import dev.carillon.store.jdbc.Pages;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads quiet hours. {@link QuietHoursChanges} changes them. */
public final class QuietHoursStore {
  private QuietHoursStore() {}

  /**
   * Load the quiet hours called {@code names}, those for schedules with one of {@code tags}, and
   * those for everything, by name. {@link CalendarStore#revision} tells whether any have changed.
   */
  public static List<QuietHoursVersion> load(
      Statements statements, Collection<String> names, Collection<String> tags) {
    return statements.query(
        "load quiet hours",
        """
        select version.name, version.version, version.definition, version.reason, version.created_at,
               version.created_by
          from carillon.quiet_hours
          join carillon.quiet_hours_version as version
            on version.name = quiet_hours.name and version.version = quiet_hours.version
         where quiet_hours.deleted_at is null
           and (quiet_hours.everything
                or quiet_hours.tags && :tags
                or quiet_hours.name = any(:names))
         order by quiet_hours.name
        """,
        bind ->
            bind.each("names", "text", names, name -> name).each("tags", "text", tags, tag -> tag),
        QuietHoursStore::toVersion);
  }

  /** Return all quiet hours, by name. */
  public static List<QuietHoursVersion> all(Statements statements) {
    return statements.query(
        "load all quiet hours",
        """
        select version.name, version.version, version.definition, version.reason, version.created_at,
               version.created_by
          from carillon.quiet_hours
          join carillon.quiet_hours_version as version
            on version.name = quiet_hours.name and version.version = quiet_hours.version
         where quiet_hours.deleted_at is null
         order by quiet_hours.name
        """,
        QuietHoursStore::toVersion);
  }

  /**
   * Lock quiet hours until the end of the transaction against being changed or deleted, and return
   * which of them there are. It comes before the locks of schedules that name them.
   */
  public static Set<String> lock(Transaction tx, Collection<String> names) {
    if (names.isEmpty()) {
      return Set.of();
    }
    return Set.copyOf(
        tx.query(
            "lock quiet hours",
            """
            select name
              from carillon.quiet_hours  -- against changes and deletion of them
             where name = any(:names)
               and deleted_at is null
             order by name
               for share
            """,
            bind -> bind.each("names", "text", names, name -> name),
            row -> row.text("name")));
  }

  /** Find the current version of quiet hours. */
  public static Optional<QuietHoursVersion> find(Statements statements, String name) {
    if (!StorableText.is(name)) {
      return Optional.empty();
    }
    return statements.first(
        "find quiet hours",
        """
        select version.name, version.version, version.definition, version.reason, version.created_at,
               version.created_by
          from carillon.quiet_hours
          join carillon.quiet_hours_version as version
            on version.name = quiet_hours.name and version.version = quiet_hours.version
         where quiet_hours.name = :name
           and quiet_hours.deleted_at is null
        """,
        bind -> bind.set("name", name),
        QuietHoursStore::toVersion);
  }

  /** Return a page of quiet hours, by name. */
  public static Page<QuietHoursVersion> page(Database database, Optional<String> after, int limit) {
    Pages.checked(limit);
    Optional<String> last = after.map(token -> PageToken.text(PageToken.Of.QUIET_HOURS, token));
    return database.inTransaction(
        tx -> {
          PageRoom room = PageRoom.of(limit);
          List<QuietHoursVersion> found =
              room.read(
                  tx,
                  "page quiet hours",
                  """
                  select version.name, version.version, version.definition, version.reason, version.created_at,
                         version.created_by
                    from carillon.quiet_hours
                    join carillon.quiet_hours_version as version
                      on version.name = quiet_hours.name and version.version = quiet_hours.version
                   where quiet_hours.deleted_at is null
                     and (:last::text is null or quiet_hours.name > :last)
                   order by quiet_hours.name
                   limit :limit
                  """,
                  bind -> bind.set("last", last).set("limit", limit + 1),
                  QuietHoursStore::toVersion);
          return Pages.of(found, room, PageToken.Of.QUIET_HOURS, QuietHoursVersion::name);
        });
  }

  /** Return the schedules that name quiet hours, of those that {@code scope} reaches. */
  public static Users users(Statements statements, String name, Scope scope, int most) {
    return new CalendarUsers(statements).ofQuietHours(name, scope, most);
  }

  private static QuietHoursVersion toVersion(Row row) {
    return new QuietHoursVersion(
        row.integer("version"),
        QuietHoursJson.stored(row.text("name"), row.optionalJson("definition").orElse("{}")),
        row.text("reason"),
        row.changedBy("created"));
  }
}
