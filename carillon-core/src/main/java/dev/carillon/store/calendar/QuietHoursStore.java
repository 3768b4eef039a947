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
import java.util.List;
import java.util.Optional;

/** Reads quiet hours. {@link QuietHoursChanges} changes them. */
public final class QuietHoursStore {
  private QuietHoursStore() {}

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
