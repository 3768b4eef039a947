package dev.carillon.cluster;

import dev.carillon.target.RunContext;
import dev.carillon.target.TransactionalHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;

/** A handler whose line in the ledger commits together with the success of its run. */
final class Ledger implements TransactionalHandler {
  static final String LABEL = "ledger";

  private final Effects effects;

  Ledger(Effects effects) {
    this.effects = effects;
  }

  @Override
  public void run(RunContext context, Connection connection) throws Exception {
    effects.record(
        context,
        () -> {
          write(context, connection);
          Habit.of(context).practise(context);
        });
  }

  private void write(RunContext context, Connection connection) throws Exception {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into ledger (schedule_id, slot, ordinal, attempt, node) values (?, ?, ?, ?, ?)")) {
      effects.bind(statement, context);
      statement.executeUpdate();
    }
  }
}
