package dev.carillon.benchmarks.scale;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How the raw limit begins a batch; all batches end alike. */
enum RawWork {
  /** Claims runs that were inserted before, as every scheduler in a drain does. */
  CLAIM {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run("alter table run set (fillfactor = 30)"); // three versions of a row, not two
      sql.run(
          """
          insert into run (schedule_id, slot, state)
          select number, ?, 'pending'
            from generate_series(0, ? - 1) as number
          """,
          slot,
          count);
    }

    @Override
    String last() {
      return "select max(schedule_id) from run where state = 'pending'";
    }

    @Override
    String left() {
      return "select count(*) from run where state <> 'succeeded' and slot <= ?";
    }

    @Override
    RawBatch begin(Connection connection, long from, long to) throws SQLException {
      return read(
          connection,
          """
          update run
             set state = 'running', started_at = now()
           where schedule_id between ? and ?
             and slot <= ?
             and state = 'pending'
          returning schedule_id, slot
          """,
          from,
          to);
    }
  },

  /**
   * Turns due cursors into runs that are claimed from the first, as no scheduler in a drain has to.
   */
  CYCLE {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run(
          """
          insert into cursor (schedule_id, next_slot)
          select number, ?
            from generate_series(0, ? - 1) as number
              on conflict (schedule_id) do update
                 set next_slot = excluded.next_slot
          """,
          slot,
          count);
    }

    @Override
    String last() {
      return "select max(schedule_id) from cursor";
    }

    @Override
    String left() {
      return """
      select (select count(*) from cursor where next_slot <= ?)
             + (select count(*) from run where state = 'running')
      """;
    }

    @Override
    RawBatch begin(Connection connection, long from, long to) throws SQLException {
      RawBatch batch =
          read(
              connection,
              """
              select schedule_id, next_slot
                from cursor
               where schedule_id between ? and ?
                 and next_slot <= ?
                 for update skip locked
              """,
              from,
              to);
      batch.write(
          connection,
          """
          insert into run (schedule_id, slot, state, started_at)
          select schedule_id, slot, 'running', now()
            from unnest(?, ?) as due (schedule_id, slot)
          """);
      batch.write(
          connection,
          """
          update cursor
             set next_slot = due.slot + 31536000000
            from unnest(?, ?) as due (schedule_id, slot)
           where cursor.schedule_id = due.schedule_id
          """);
      return batch;
    }
  };

  /* The updates of a run touch no index, and pages have room for them: all of them are HOT. */
  static final String TABLES =
      """
      create table cursor (
        schedule_id bigint primary key,
        next_slot bigint not null)
        with (fillfactor = 50);
      create table run (
        schedule_id bigint not null,
        slot bigint not null,
        state text not null,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (schedule_id, slot))
        with (fillfactor = 50)
      """;

  /** Add what becomes due at {@code slot}, for the schedules from 0. */
  abstract void add(Sql sql, int count, long slot);

  /** The query for the greatest schedule. */
  abstract String last();

  /** The query for how much is due at a given moment and not done. */
  abstract String left();

  /** Begin the due runs of the schedules {@code from} … {@code to}. */
  abstract RawBatch begin(Connection connection, long from, long to) throws SQLException;

  private static RawBatch read(Connection connection, String sql, long from, long to)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, from);
      statement.setLong(2, to);
      statement.setLong(3, System.currentTimeMillis());
      try (ResultSet rows = statement.executeQuery()) {
        return RawBatch.of(rows);
      }
    }
  }
}
