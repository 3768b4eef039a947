package dev.carillon.simulation;

import dev.carillon.json.Json;
import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.simulation.Books.Change;
import dev.carillon.simulation.Books.Decided;
import dev.carillon.simulation.Books.Kept;
import dev.carillon.simulation.Books.Logged;
import dev.carillon.simulation.Books.Try;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.schedule.ScheduleStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads {@link Books} from a database. */
final class BookReader {
  private final DataSource source;
  private final ScheduleStore definitions;

  BookReader(DataSource source) {
    this.source = source;
    this.definitions = new ScheduleStore(new Database(source));
  }

  Books read() {
    try (Connection connection = source.getConnection()) {
      return new Books(
          schedules(connection),
          runs(connection),
          decisions(connection),
          lanes(connection),
          RuleBooks.read(new Database(source)));
    } catch (SQLException e) {
      throw new IllegalStateException("the books cannot be read", e);
    }
  }

  private List<Kept> schedules(Connection connection) {
    Map<Long, List<Change>> changes = changes(connection);
    return Rows.read(
        connection,
        """
        select schedule.id, schedule.key, schedule.status, schedule.paused_until, schedule.pause_from,
               cursor.planned_through, cursor.next_slot, least(cursor.plan_by, cursor.next_slot) as plan_by, coalesce(failure_streak.failures, 0) as failures
          from carillon.schedule
          join carillon.cursor
            on cursor.schedule_id = schedule.id
          left join carillon.failure_streak
            on failure_streak.schedule_id = schedule.id
         order by schedule.id
        """,
        row ->
            new Kept(
                row.getLong("id"),
                row.getString("key"),
                row.getString("status"),
                Rows.at(row, "paused_until"),
                Rows.at(row, "pause_from"),
                Rows.at(row, "planned_through").orElseThrow(),
                Rows.at(row, "next_slot"),
                Rows.at(row, "plan_by"),
                versions(row.getString("key")),
                changes.getOrDefault(row.getLong("id"), List.of()),
                row.getInt("failures")));
  }

  private SortedMap<Integer, Definition> versions(String key) {
    var versions = new TreeMap<Integer, Definition>();
    for (ScheduleVersion version : definitions.versions(key)) {
      versions.put(version.version(), version.definition());
    }
    return versions;
  }

  private static Map<Long, List<Change>> changes(Connection connection) {
    var changes = new HashMap<Long, List<Change>>();
    Rows.read(
        connection,
        """
        select schedule_id, at, action, details
          from carillon.audit
         where schedule_id is not null
         order by id
        """,
        row ->
            changes
                .computeIfAbsent(row.getLong("schedule_id"), id -> new ArrayList<>())
                .add(
                    new Change(
                        Rows.at(row, "at").orElseThrow(),
                        row.getString("action"),
                        Json.readObject(row.getString("details")))));
    return changes;
  }

  private static List<Logged> runs(Connection connection) {
    return Rows.read(
        connection,
        """
        select true as live, schedule_id, slot, ordinal, version, trigger, due_at, wake_at, state, attempt,
               overlap, node_id, started_at, null::timestamptz as finished_at, null as failure_code, sequel, attempts,
               null as reason, created_by, correlation
          from carillon.run
         union all
        select false, schedule_id, slot, ordinal, version, trigger, due_at, null, state, attempt,
               overlap, node_id, started_at, finished_at, failure_code, null, attempts, reason,
               created_by, correlation
          from carillon.history
         order by schedule_id, slot, ordinal
        """,
        BookReader::run);
  }

  private static Logged run(ResultSet row) throws SQLException {
    return new Logged(
        id(row),
        row.getBoolean("live"),
        row.getInt("version"),
        row.getString("trigger"),
        Rows.at(row, "due_at").orElseThrow(),
        Rows.at(row, "wake_at"),
        row.getString("state"),
        row.getInt("attempt"),
        Rows.text(row, "overlap").isPresent(),
        Rows.maybe(row, "node_id", UUID.class),
        Rows.at(row, "started_at"),
        Rows.at(row, "finished_at"),
        Rows.text(row, "failure_code"),
        Rows.text(row, "reason"),
        Rows.text(row, "sequel"),
        Rows.text(row, "attempts").map(BookReader::tries).orElse(List.of()),
        Rows.text(row, "created_by").isPresent(),
        "carillon".equals(row.getString("created_by"))
            ? Rows.text(row, "correlation")
            : Optional.empty());
  }

  private static RunId id(ResultSet row) throws SQLException {
    return new RunId(
        row.getLong("schedule_id"), Rows.at(row, "slot").orElseThrow(), row.getInt("ordinal"));
  }

  private static List<Try> tries(String json) {
    var tries = new ArrayList<Try>();
    if (Json.read(json) instanceof List<?> list) {
      for (Object item : list) {
        if (item instanceof Map<?, ?> one
            && one.get("number") instanceof Number number
            && one.get("finishedAt") instanceof String finishedAt
            && one.get("code") instanceof String code) {
          tries.add(new Try(number.intValue(), Instant.parse(finishedAt), code));
        }
      }
    }
    return tries;
  }

  private static List<Decided> decisions(Connection connection) {
    return Rows.read(
        connection,
        """
        select schedule_id, first_slot, last_slot, slots, reason, version, decided_at, merged_into
          from carillon.decision
         order by schedule_id, first_slot
        """,
        row ->
            new Decided(
                row.getLong("schedule_id"),
                Rows.at(row, "first_slot").orElseThrow(),
                Rows.at(row, "last_slot").orElseThrow(),
                row.getLong("slots"),
                row.getString("reason"),
                row.getInt("version"),
                Rows.at(row, "decided_at").orElseThrow(),
                Rows.at(row, "merged_into")));
  }

  private static Map<Long, RunId> lanes(Connection connection) {
    var lanes = new HashMap<Long, RunId>();
    Rows.read(
            connection,
            """
            select id as schedule_id, slot, ordinal
              from carillon.lane
             where slot is not null
            """,
            BookReader::id)
        .forEach(id -> lanes.put(id.schedule(), id));
    return lanes;
  }
}
