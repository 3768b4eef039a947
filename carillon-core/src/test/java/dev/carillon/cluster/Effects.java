package dev.carillon.cluster;

import dev.carillon.model.RunId;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * What handlers really did, written by themselves on connections of their own.
 *
 * <p>Nothing a handler does goes unrecorded as long as its process lives: while PostgreSQL is away,
 * writing waits, whoever wants it to stop.
 */
final class Effects {
  static final String TABLES =
      """
      create table effect (
        id          uuid        primary key,
        schedule_id bigint      not null,
        slot        timestamptz not null,
        ordinal     smallint    not null,
        attempt     integer     not null,
        node        uuid        not null,
        due_at      timestamptz not null,
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
        node        uuid        not null
      );
      create index on ledger (schedule_id, slot, ordinal);
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final DataSource source;
  private final Supplier<UUID> node;

  Effects(DataSource source, Supplier<UUID> node) {
    this.source = source;
    this.node = node;
  }

  /** Work that is recorded. */
  interface Recorded {
    void run() throws Exception;
  }

  /** Do {@code work}, and write down that it began and how it ended. */
  void record(RunContext context, Recorded work) throws Exception {
    UUID line = UUID.randomUUID();
    patiently(
        """
        insert into effect (schedule_id, slot, ordinal, attempt, node, due_at, id)
        values (?, ?, ?, ?, ?, ?, ?)
            on conflict (id) do nothing  -- a commit that was not confirmed
        """,
        statement -> {
          bind(statement, context);
          statement.setObject(6, context.dueAt().atOffset(ZoneOffset.UTC));
          statement.setObject(7, line);
        });
    String ending = "failed";
    try {
      work.run();
      ending = "done";
    } catch (InterruptedException e) {
      ending = context.stop().map(StopReason::name).orElse("interrupted");
      throw e;
    } finally {
      end(line, ending);
    }
  }

  private void end(UUID line, String ending) throws SQLException {
    patiently(
        "update effect set ended_at = clock_timestamp(), ending = ? where id = ? and ending is null",
        statement -> {
          statement.setString(1, ending);
          statement.setObject(2, line);
        });
  }

  /** Set the first five parameters: the run, the attempt and the node. */
  void bind(PreparedStatement statement, RunContext context) throws SQLException {
    RunId id = context.id();
    statement.setLong(1, id.schedule());
    statement.setObject(2, id.slot().atOffset(ZoneOffset.UTC));
    statement.setInt(3, id.ordinal());
    statement.setInt(4, context.attempt());
    statement.setObject(5, node.get());
  }

  private interface Binding {
    void to(PreparedStatement statement) throws SQLException;
  }

  private void patiently(String sql, Binding binding) throws SQLException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    while (true) {
      try (Connection connection = source.getConnection();
          PreparedStatement statement = connection.prepareStatement(sql)) {
        binding.to(statement);
        statement.executeUpdate();
        break;
      } catch (SQLException e) {
        if (System.nanoTime() > until) {
          throw e;
        }
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
