package dev.carillon.store.calendar;

import dev.carillon.definition.CalendarJson;
import dev.carillon.definition.QuietHoursJson;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.plan.explain.RuleChange;
import dev.carillon.plan.explain.RuleHistory;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.time.Due.Policy;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What calendars and quiet hours said at some instants, and how they changed after another. */
public final class RuleVersions implements RuleHistory {
  private static final int MAX_CHANGES = 10;

  private final Map<String, List<Version>> calendars = new TreeMap<>();
  private final Map<String, List<Version>> quietHours = new TreeMap<>();
  private final Map<List<Version>, RuleBook> books = new HashMap<>();

  private RuleVersions() {}

  private record Version(
      Policy policy,
      String name,
      int number,
      Optional<CalendarDefinition> calendar,
      Optional<QuietHoursDefinition> quietHours,
      String reason,
      ChangedBy created,
      Optional<ChangedBy> deleted) {
    boolean isInForce(Instant when) {
      return deleted.filter(end -> !end.at().isAfter(when)).isEmpty();
    }

    Stream<RuleChange> changes() {
      return Stream.concat(
          Stream.of(new RuleChange(policy, name, number, created, false, reason)),
          deleted.stream().map(end -> new RuleChange(policy, name, number, end, true, "")));
    }

    boolean appliesTo(Definition definition) {
      return quietHours.filter(hours -> RuleBook.appliesTo(hours, definition)).isPresent();
    }
  }

  /**
   * Read what was in force at each of {@code instants}, and the first changes after {@code after}.
   *
   * @param calendars the calendars that matter; of quiet hours, all may
   */
  public static RuleVersions read(
      Statements statements,
      Collection<String> calendars,
      Collection<Instant> instants,
      Instant after) {
    var versions = new RuleVersions();
    if (!calendars.isEmpty()) {
      versions.readCalendars(statements, calendars, instants, after);
    }
    versions.readQuietHours(statements, instants, after);
    return versions;
  }

  private void readCalendars(
      Statements statements,
      Collection<String> names,
      Collection<Instant> instants,
      Instant after) {
    statements.query(
        "read what calendars said",
        """
        select found.name, found.version, found.definition::text as definition, found.reason, found.created_at,
               found.created_by, null::timestamptz as deleted_at, null::text as deleted_by
          from (select unnest(:names) as name
                 union
                select unnest(combines)
                  from carillon.calendar_version
                 where name = any(:names)) as named
         cross join lateral (
               (select version.*
                  from unnest(:instants) as wanted (at)
                 cross join lateral (select *
                                       from carillon.calendar_version
                                      where name = named.name
                                        and created_at <= wanted.at
                                      order by version desc
                                      limit 1) as version)
                union all
               (select *
                  from carillon.calendar_version
                 where name = named.name
                   and created_at > :after
                 order by version
                 limit :most)) as found
        """,
        bind ->
            bind.set("after", after)
                .set("most", MAX_CHANGES)
                .array("names", "text", names, name -> name)
                .array("instants", "timestamptz", instants, instant -> instant),
        row -> add(row, Policy.CALENDAR));
  }

  private void readQuietHours(Statements statements, Collection<Instant> instants, Instant after) {
    statements.query(
        "read what quiet hours said",
        """
        select found.name, found.version, found.definition::text as definition, found.reason, found.created_at,
               found.created_by, found.deleted_at, found.deleted_by
          from carillon.quiet_hours
         cross join lateral (
               (select version.*
                  from unnest(:instants) as wanted (at)
                 cross join lateral (select *
                                       from carillon.quiet_hours_version
                                      where name = quiet_hours.name
                                        and created_at <= wanted.at
                                      order by version desc
                                      limit 1) as version)
                union all
               (select *
                  from carillon.quiet_hours_version
                 where name = quiet_hours.name
                   and created_at > :after
                 order by version
                 limit :most)) as found
        """,
        bind ->
            bind.set("after", after)
                .set("most", MAX_CHANGES)
                .array("instants", "timestamptz", instants, instant -> instant),
        row -> add(row, Policy.QUIET_HOURS));
  }

  private boolean add(Row row, Policy policy) {
    String name = row.text("name");
    List<Version> known =
        (policy == Policy.CALENDAR ? calendars : quietHours)
            .computeIfAbsent(name, any -> new ArrayList<>());
    int number = row.integer("version");
    if (known.stream().noneMatch(one -> one.number == number)) {
      known.add(version(row, policy, name, number));
      known.sort(Comparator.comparing(Version::number));
    }
    return true;
  }

  /* What an earlier or later Carillon has stored and this one cannot read counts as nothing. */
  private static Version version(Row row, Policy policy, String name, int number) {
    Optional<CalendarDefinition> calendar = Optional.empty();
    Optional<QuietHoursDefinition> hours = Optional.empty();
    try {
      if (policy == Policy.CALENDAR) {
        calendar = Optional.of(CalendarJson.stored(name, row.text("definition")));
      } else {
        hours = Optional.of(QuietHoursJson.stored(name, row.text("definition")));
      }
    } catch (RuntimeException e) {
      // as above
    }
    return new Version(
        policy,
        name,
        number,
        calendar,
        hours,
        row.text("reason"),
        row.changedBy("created"),
        row.optionalChangedBy("deleted"));
  }

  @Override
  public DueRule at(Definition definition, Instant when) {
    List<Version> inForce =
        Stream.concat(calendars.values().stream(), quietHours.values().stream())
            .flatMap(versions -> last(versions, when).stream())
            .toList();
    return books.computeIfAbsent(inForce, RuleVersions::book).ruleOrNone(definition);
  }

  private static Optional<Version> last(List<Version> versions, Instant when) {
    return versions.stream()
        .filter(version -> !version.created.at().isAfter(when))
        .reduce((one, later) -> later)
        .filter(version -> version.isInForce(when));
  }

  private static RuleBook book(List<Version> versions) {
    var book = new RuleBook.Builder();
    versions.forEach(
        version -> {
          version.calendar.ifPresent(book::add);
          version.quietHours.ifPresent(book::add);
        });
    return book.build();
  }

  @Override
  public List<RuleChange> changes(Definition definition) {
    List<String> named = definition.dueCalendars();
    Stream<Version> days =
        calendars.entrySet().stream()
            .filter(entry -> named.stream().anyMatch(name -> isPart(entry.getKey(), name)))
            .flatMap(entry -> entry.getValue().stream());
    Stream<Version> hours =
        quietHours.values().stream()
            .filter(versions -> versions.stream().anyMatch(one -> one.appliesTo(definition)))
            .flatMap(List::stream);
    return Stream.concat(days, hours)
        .flatMap(Version::changes)
        .sorted(Comparator.comparing(change -> change.changed().at()))
        .toList();
  }

  private boolean isPart(String name, String whole) {
    return name.equals(whole)
        || calendars.getOrDefault(whole, List.of()).stream()
            .flatMap(version -> version.calendar.stream())
            .anyMatch(calendar -> calendar.combines().contains(name));
  }
}
