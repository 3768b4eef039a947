package dev.carillon.store.jdbc;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Statements that are sent together: PostgreSQL runs them one after the other, each with a snapshot
 * of its own, and answers all of them in one round trip. After one that fails, none is run.
 */
public final class Pipeline {
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(BoundStatement statement, Connections.Work<PreparedStatement, ?> reader) {}

  Pipeline() {}

  /** Add a statement, whose rows {@code reader} takes when they are there. */
  public void query(String name, String sql, Consumer<Bind> binder, Consumer<Row> reader) {
    add(
        BoundStatement.of(name, sql, binder),
        result -> {
          Statements.forEachRow(name, result, reader);
          return true;
        });
  }

  /** Add a statement; {@code reader} takes its result, which is the current one then. */
  void add(BoundStatement statement, Connections.Work<PreparedStatement, ?> reader) {
    entries.add(new Entry(statement, reader));
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Return the names of the statements, of those that have one. */
  String name() {
    return entries.stream()
        .map(entry -> entry.statement.name())
        .filter(name -> !name.isEmpty())
        .collect(joining(" + "));
  }

  /** Tell whether a statement has an array that needs a plan for its number of items. */
  boolean isBatch() {
    return entries.stream().anyMatch(entry -> entry.statement.bind().isBatch());
  }

  /** Return the same statements, and one more. */
  Pipeline with(BoundStatement statement, Connections.Work<PreparedStatement, ?> reader) {
    var longer = new Pipeline();
    longer.entries.addAll(entries);
    longer.add(statement, reader);
    return longer;
  }

  /**
   * Send the statements, which {@code connection} keeps prepared if {@code kept}, and let their
   * results be read.
   */
  void send(Connection connection, boolean kept) throws SQLException {
    String text =
        entries.stream().map(entry -> entry.statement.sql().text()).collect(joining("\n;\n"));
    try (PreparedStatement statement = BoundStatement.prepare(connection, text, kept)) {
      int filled = 0;
      for (Entry entry : entries) {
        filled = entry.statement.fill(connection, statement, filled);
      }
      statement.execute();
      for (int i = 0; i < entries.size(); i++) {
        if (i > 0) {
          statement.getMoreResults();
        }
        entries.get(i).reader.apply(statement);
      }
    }
  }
}
