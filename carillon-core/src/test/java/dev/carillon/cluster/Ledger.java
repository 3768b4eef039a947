package dev.carillon.cluster;

import dev.carillon.target.RunContext;
import dev.carillon.target.TransactionalHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;

/** A handler whose line in the ledger commits together with the success of its run. */
final class Ledger implements TransactionalHandler {
  static final String LABEL = "ledger";

  private final String node;

  Ledger(String node) {
    this.node = node;
  }

  @Override
  public void run(RunContext context, Connection connection) throws Exception {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into ledger (schedule_id, slot, ordinal, attempt, node, due_at)
            values (?, ?, ?, ?, ?, ?)
            """)) {
      Effects.bind(statement, context, node);
      statement.executeUpdate();
    }
    Work.Habit habit = Work.Habit.of(context);
    habit.rest(context);
    if (context.attempt() <= habit.failures()) {
      throw new IllegalStateException("fails as it should");
    }
  }
}
