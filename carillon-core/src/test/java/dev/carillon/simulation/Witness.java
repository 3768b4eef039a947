package dev.carillon.simulation;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at the store after every step, for what is gone when the story is over. */
final class Witness {
  private static final String LOOK =
      """
      select cursor.schedule_id, cursor.planned_through,
             (select count(*)
                from carillon.run
               where run.schedule_id = cursor.schedule_id
                 and run.ordinal = 0) as live,
             (select count(*)
                from carillon.audit
               where audit.schedule_id = cursor.schedule_id) as changes,
             (select count(*)
                from carillon.run
               where run.schedule_id = cursor.schedule_id
                 and run.lane is not null
                 and run.state = 'running') as running,
             (select count(*)
                from carillon.run
                join carillon.lane
                  on lane.id = run.lane and lane.slot = run.slot and lane.ordinal = run.ordinal
               where run.schedule_id = cursor.schedule_id
                 and run.state = 'running') as holding
        from carillon.cursor
      """;

  private final Connections connections;
  private Map<Long, Seen> before = Map.of();

  private record Seen(
      long schedule, Instant through, long live, long changes, int running, int holding) {}

  Witness(Connections connections) {
    this.connections = connections;
  }

  void look(List<Violation> violations) {
    var now = new HashMap<Long, Seen>();
    for (Seen seen : read()) {
      now.put(seen.schedule, seen);
      if (seen.running > 1) {
        violations.add(
            new Violation("no overlap", "%s runs at once: %s".formatted(seen.running, seen)));
      }
      if (seen.holding < seen.running) {
        violations.add(new Violation("lane", "a run is not in its lane: " + seen));
      }
      Seen last = before.get(seen.schedule);
      if (last != null
          && seen.through.isBefore(last.through)
          && seen.live >= last.live
          && seen.changes == last.changes) {
        violations.add(new Violation("cursor", "went back from %s to %s".formatted(last, seen)));
      }
    }
    before = now;
  }

  private List<Seen> read() {
    try {
      Connection connection = connections.take();
      try {
        return Rows.read(connection, LOOK, Witness::seen);
      } finally {
        connections.giveBack(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the witness sees nothing", e);
    }
  }

  private static Seen seen(ResultSet row) throws SQLException {
    return new Seen(
        row.getLong("schedule_id"),
        Rows.at(row, "planned_through").orElseThrow(),
        row.getLong("live"),
        row.getLong("changes"),
        row.getInt("running"),
        row.getInt("holding"));
  }
}
