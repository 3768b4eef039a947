package dev.carillon.benchmarks.scale;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How the raw limit comes by the runs it claims; all are claimed and completed alike. */
enum RawWork {
  /** The runs were inserted before, as for every scheduler in a drain. */
  DRAIN {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run(
          """
          insert into run (schedule_id, slot, due_at, target, payload)
          select number, ?, ?, 'bell', '{}'
            from generate_series(0, ? - 1) as number
          """,
          slot,
          slot,
          count);
    }

    @Override
    void plan(Connection connection, int most) {}
  },

  /** The runs are made from cursors that are due, which advance: the whole life of a run. */
  LIFE {
    @Override
    void add(Sql sql, int count, long slot) {
      sql.run(
          """
          insert into cursor (schedule_id, next_slot, target, payload)
          select number, ?, 'bell', '{}'
            from generate_series(0, ? - 1) as number
              on conflict (schedule_id) do update
                 set next_slot = excluded.next_slot
          """,
          slot,
          count);
    }

    @Override
    void plan(Connection connection, int most) throws SQLException {
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
              most);
      due.write(
          connection,
          """
          insert into run (schedule_id, slot, due_at, target, payload)
          select due.schedule_id, due.slot, due.slot, cursor.target, cursor.payload
            from unnest(?, ?) as due (schedule_id, slot)
            join cursor
              on cursor.schedule_id = due.schedule_id
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
    }
  };

  /* What makes a run one: it can be found when it is due, says what to do, is tried by somebody, and
   * stays to be looked up. */
  static final String TABLES =
      """
      create table cursor (
        schedule_id bigint primary key,
        next_slot bigint not null,
        target text not null,
        payload jsonb not null)
        with (fillfactor = 50);
      create index cursor_due on cursor (next_slot);
      create table run (
        schedule_id bigint not null,
        slot bigint not null,
        due_at bigint not null,
        target text not null,
        payload jsonb not null,
        state text not null default 'pending',
        attempt integer not null default 0,
        node_id bigint,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (schedule_id, slot))
        with (fillfactor = 30);
      create index run_due on run (target, due_at) where state = 'pending'
      """;

  static final String LEFT =
      """
      select (select count(*) from cursor where next_slot <= ?)
             + (select count(*) from run where state <> 'succeeded' and due_at <= ?)
      """;

  /** Add what becomes due at {@code slot}, for the schedules from 0. */
  abstract void add(Sql sql, int count, long slot);

  /** Make runs of up to {@code most} cursors that are due, if runs are made of cursors. */
  abstract void plan(Connection connection, int most) throws SQLException;

  /** Claim up to {@code most} runs that are due. */
  RawBatch claim(Connection connection, int most) throws SQLException {
    return read(
        connection,
        """
        with due as materialized (
          select schedule_id, slot
            from run
           where target = 'bell'
             and state = 'pending'
             and due_at <= ?
           order by due_at
           limit ?
             for update skip locked)
        update run
           set state = 'running', attempt = run.attempt + 1, node_id = 1, started_at = now()
          from due
         where run.schedule_id = due.schedule_id
           and run.slot = due.slot
        returning run.schedule_id, run.slot, run.payload
        """,
        most);
  }

  private static RawBatch read(Connection connection, String sql, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, System.currentTimeMillis());
      statement.setInt(2, most);
      try (ResultSet rows = statement.executeQuery()) {
        return RawBatch.of(rows);
      }
    }
  }
}
