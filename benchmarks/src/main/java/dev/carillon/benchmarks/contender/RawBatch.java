package dev.carillon.benchmarks.contender;

import dev.carillon.bench.StartListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs that began together and end together.
 *
 * @param ids their schedules
 * @param slots of each, in milliseconds since the epoch
 */
record RawBatch(List<Long> ids, List<Long> slots) {
  static final RawBatch NOTHING = new RawBatch(List.of(), List.of());

  /** Read the schedules and slots in {@code rows}. */
  static RawBatch of(ResultSet rows) throws SQLException {
    List<Long> ids = new ArrayList<>();
    List<Long> slots = new ArrayList<>();
    while (rows.next()) {
      ids.add(rows.getLong(1));
      slots.add(rows.getLong(2));
      rows.getString(3); // the payload, which a handler would need
    }
    return new RawBatch(ids, slots);
  }

  boolean isEmpty() {
    return ids.isEmpty();
  }

  long lastId() {
    return ids.get(ids.size() - 1);
  }

  long lastSlot() {
    return slots.get(slots.size() - 1);
  }

  void reportStarts(StartListener startListener) {
    for (int i = 0; i < ids.size(); i++) {
      startListener.started(Math.toIntExact(ids.get(i)), Instant.ofEpochMilli(slots.get(i)), 1);
    }
  }

  void complete(Connection connection) throws SQLException {
    write(
        connection,
        """
        update run
           set state = 'succeeded', finished_at = now()
          from unnest(?, ?) as done (schedule_id, slot)
         where run.schedule_id = done.schedule_id
           and run.slot = done.slot
           and run.state = 'running'
        """);
  }

  /** Execute {@code sql}, whose parameters are the schedules and the slots. */
  void write(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
      statement.setArray(2, connection.createArrayOf("bigint", slots.toArray()));
      statement.executeUpdate();
    }
  }
}
