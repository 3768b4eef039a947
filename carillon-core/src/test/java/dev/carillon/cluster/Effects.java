package dev.carillon.cluster;

import dev.carillon.model.RunId;
import dev.carillon.target.RunContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import javax.sql.DataSource;

/** What handlers really did, written by themselves on connections of their own. */
final class Effects {
  static final String TABLES =
      """
      create table effect (
        id          bigint      generated always as identity primary key,
        schedule_id bigint      not null,
        slot        timestamptz not null,
        ordinal     smallint    not null,
        schedule    text        not null,
        attempt     integer     not null,
        node        text        not null,
        due_at      timestamptz not null,
        at_most_one boolean     not null,
        started_at  timestamptz not null default clock_timestamp(),
        ended_at    timestamptz,
        ending      text
      );
      create index on effect (schedule_id, slot, ordinal, attempt);
      create table ledger (
        schedule_id bigint      not null,
        slot        timestamptz not null,
        ordinal     smallint    not null,
        attempt     integer     not null,
        node        text        not null,
        due_at      timestamptz not null,
        started_at  timestamptz not null default clock_timestamp()
      );
      create index on ledger (schedule_id, slot, ordinal);
      """;

  private final DataSource source;
  private final String node;

  Effects(DataSource source, String node) {
    this.source = source;
    this.node = node;
  }

  /** Write down that an attempt began, and return the number of the line. */
  long begin(RunContext context, boolean atMostOnce) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                insert into effect (schedule_id, slot, ordinal, attempt, node, due_at, schedule, at_most_one)
                values (?, ?, ?, ?, ?, ?, ?, ?)
                returning id
                """)) {
      bind(statement, context, node);
      statement.setString(7, context.schedule().orElse("-"));
      statement.setBoolean(8, atMostOnce);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /** Write down how it ended. */
  void end(long id, String ending) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "update effect set ended_at = clock_timestamp(), ending = ? where id = ?")) {
      statement.setString(1, ending);
      statement.setLong(2, id);
      statement.executeUpdate();
    }
  }

  /** Set the first six parameters: the run, the attempt, the node and when it was due. */
  static void bind(PreparedStatement statement, RunContext context, String node)
      throws SQLException {
    RunId id = context.id();
    statement.setLong(1, id.schedule());
    statement.setObject(2, id.slot().atOffset(ZoneOffset.UTC));
    statement.setInt(3, id.ordinal());
    statement.setInt(4, context.attempt());
    statement.setString(5, node);
    statement.setObject(6, context.dueAt().atOffset(ZoneOffset.UTC));
  }
}
