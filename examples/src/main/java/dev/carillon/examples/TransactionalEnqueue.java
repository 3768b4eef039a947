package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.target.RunContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * An order and the work it causes, written in one transaction: neither exists without the other.
 * The work changes the order in the transaction that records its own success.
 */
public final class TransactionalEnqueue {
  private final DataSource database;

  TransactionalEnqueue(DataSource database) {
    this.database = database;
  }

  /**
   * What the program left behind.
   *
   * @param orders the orders, as {@code item: state}
   * @param runs the runs of the target {@code confirm}
   */
  record Left(List<String> orders, List<RunId> runs) {}

  public static void main(String[] args) throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      Left left = new TransactionalEnqueue(pool).run();
      System.out.println("orders " + left.orders());
      System.out.println("runs   " + left.runs());
    }
  }

  Left run() throws Exception {
    createOrders();
    var finished = new Finished();
    try (var carillon =
        Carillon.builder()
            .dataSource(database)
            .transactionalTarget("confirm", TransactionalEnqueue::confirm)
            .listener(finished)
            .build()
            .start()) {
      order(carillon.runs(), "a rope", true);
      order(carillon.runs(), "a bell that nobody can lift", false);
      finished.next();
      List<RunId> runs =
          carillon.runs().list(RunFilter.all().target("confirm")).stream()
              .map(run -> run.id())
              .toList();
      return new Left(orders(), runs);
    }
  }

  private void order(Runs runs, String item, boolean accepted) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      long order = insertOrder(connection, item);
      runs.enqueue(connection, RunDraft.of("confirm").payload("order", order));
      if (accepted) {
        connection.commit();
      } else {
        connection.rollback();
      }
    }
  }

  private static void confirm(RunContext run, Connection connection) throws SQLException {
    long order = run.payload().number("order").orElseThrow();
    try (var update =
        connection.prepareStatement("update orders set state = 'confirmed' where id = ?")) {
      update.setLong(1, order);
      update.executeUpdate();
    }
  }

  private void createOrders() throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          create table orders (
            id    bigint generated always as identity primary key,
            item  text   not null,
            state text   not null default 'new')
          """);
    }
  }

  private static long insertOrder(Connection connection, String item) throws SQLException {
    try (var insert =
        connection.prepareStatement("insert into orders (item) values (?) returning id")) {
      insert.setString(1, item);
      try (var rows = insert.executeQuery()) {
        rows.next();
        return rows.getLong("id");
      }
    }
  }

  private List<String> orders() throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select item, state from orders order by id")) {
      var orders = new ArrayList<String>();
      while (rows.next()) {
        orders.add(rows.getString("item") + ": " + rows.getString("state"));
      }
      return orders;
    }
  }
}
