package dev.carillon.benchmarks.contender;

import dev.carillon.bench.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Where the runs come from that the raw limit claims; all are completed alike. */
enum RawWork {
  /**
   * The runs were inserted before, as for every scheduler in a drain, and are found by their key.
   */
  DRAIN {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run(
          """
          insert into run (slot, schedule_id, payload)
          select ?, number, '{}'
            from generate_series(0, ? - 1) as number
          """,
          slot,
          count);
    }

    @Override
    RawBatch start(Connection connection) throws SQLException {
      return read(
          connection,
          "select -1, coalesce(max(slot), 0), null from run where slot <= ?",
          System.currentTimeMillis());
    }

    @Override
    RawBatch claim(Connection connection, RawBatch before, int limit) throws SQLException {
      return read(
          connection,
          """
          with due as materialized (
            select ctid as place
              from run
             where (slot, schedule_id) > (?, ?)
               and slot <= ?
               and state = 'pending'
             order by slot, schedule_id
             limit ?
               for update skip locked)
          update run
             set state = 'running', attempt = run.attempt + 1, node_id = 1, started_at = now()
            from due
           where run.ctid = due.place
          returning run.schedule_id, run.slot, run.payload
          """,
          before.lastSlot(),
          before.lastId(),
          System.currentTimeMillis(),
          limit);
    }
  },

  /**
   * The runs are made from cursors that are due, which advance: the whole life of a run. They need
   * not be looked for, as the same connection claims them.
   */
  LIFE {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run(
          """
          insert into cursor (schedule_id, next_slot, payload)
          select number, ?, '{}'
            from generate_series(0, ? - 1) as number
              on conflict (schedule_id) do update
                 set next_slot = excluded.next_slot
          """,
          slot,
          count);
    }

    @Override
    RawBatch start(Connection connection) {
      return RawBatch.NOTHING;
    }

    @Override
    RawBatch claim(Connection connection, RawBatch before, int limit) throws SQLException {
      RawBatch due =
          read(
              connection,
              """
              select schedule_id, next_slot, payload
                from cursor
               where next_slot <= ?
               order by next_slot
               limit ?
                 for update skip locked
              """,
              System.currentTimeMillis(),
              limit);
      due.write(
          connection,
          """
          insert into run (schedule_id, slot)
          select *
            from unnest(?, ?)
              on conflict do nothing
          """);
      due.write(
          connection,
          """
          update cursor
             set next_slot = due.slot + 31536000000
            from unnest(?, ?) as due (schedule_id, slot)
           where cursor.schedule_id = due.schedule_id
          """);
      connection.commit();
      due.write(
          connection,
          """
          update run
             set state = 'running', attempt = run.attempt + 1, node_id = 1, started_at = now()
            from unnest(?, ?) as due (schedule_id, slot)
           where run.schedule_id = due.schedule_id
             and run.slot = due.slot
             and run.state = 'pending'
          """);
      return due;
    }
  };

  /* The least a run needs: it is found when it is due, belongs to a node, and stays to be looked up.
   * No index holds a column that changes, and its page has room for all its versions. */
  static final String TABLES =
      """
      create table cursor (
        schedule_id bigint primary key,
        next_slot bigint not null,
        payload jsonb not null)
        with (fillfactor = 50);
      create index cursor_due on cursor (next_slot);
      create table run (
        slot bigint not null,
        schedule_id bigint not null,
        payload jsonb,
        state text not null default 'pending',
        attempt integer not null default 0,
        node_id bigint,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (slot, schedule_id))
        with (fillfactor = 30)
      """;

  static final String LEFT =
      """
      select (select count(*) from cursor where next_slot <= ?)
             + (select count(*) from run where state <> 'succeeded' and slot <= ?)
      """;

  /** Add what becomes due at {@code slot}, for the schedules from 0. */
  abstract void add(Sql sql, int count, long slot);

  /** Return what comes before all runs that are due. */
  abstract RawBatch start(Connection connection) throws SQLException;

  /** Claim up to {@code limit} runs that are due, and come after {@code before}. */
  abstract RawBatch claim(Connection connection, RawBatch before, int limit) throws SQLException;

  private static RawBatch read(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return RawBatch.of(rows);
      }
    }
  }
}
