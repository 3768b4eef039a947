package dev.carillon.simulation;

import dev.carillon.simulation.Wire.Fate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A connection that breaks when its {@link Wire} says so. */
final class WiredConnection implements InvocationHandler {
  /* How the text of several statements looks that are sent together, alone or with their commit. */
  private static final String SENT_TOGETHER = "\n;\n";
  private static final String SENT_WITH_COMMIT = SENT_TOGETHER + "commit";

  private final Connections connections;
  private final Wire wire;
  private final Connection real;
  private boolean broken;
  private boolean closed;

  WiredConnection(Connections connections, Wire wire) throws SQLException {
    this.connections = connections;
    this.wire = wire;
    this.real = connections.take();
  }

  Connection proxy() {
    return proxy(Connection.class, this);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    switch (method.getName()) {
      case "close" -> {
        if (!closed) {
          closed = true;
          connections.giveBack(real);
        }
        return null;
      }
      case "commit" -> {
        alive();
        pass(
            wire.commit(),
            "commit",
            () -> {
              real.commit();
              return null;
            });
        return null;
      }
      case "rollback" -> {
        real.rollback();
        return null;
      }
      case "prepareStatement" -> {
        alive();
        String sql = args == null ? "" : String.valueOf(args[0]);
        if (wire.splits(sql)) {
          real.commit();
        }
        PreparedStatement statement = real.prepareStatement(wire.text(sql));
        return proxy(PreparedStatement.class, guarding(statement, sql));
      }
      case "createStatement" -> {
        alive();
        return proxy(Statement.class, guarding(real.createStatement(), ""));
      }
      default -> {
        alive();
        return call(real, method, args);
      }
    }
  }

  private void alive() throws SQLException {
    if (wire.isDead()) {
      throw wire.crash();
    }
    if (broken) {
      throw new SQLException("this connection has been lost", "08003");
    }
  }

  private InvocationHandler guarding(Statement statement, String sql) {
    return (self, method, args) -> {
      if (!method.getName().startsWith("execute")) {
        return call(statement, method, args);
      }
      alive();
      if (sql.endsWith(SENT_WITH_COMMIT)) {
        Object done = pass(wire.commit(), "commit", () -> call(statement, method, args));
        return done == null ? false : done;
      }
      if (sql.contains(SENT_TOGETHER) && real.getAutoCommit()) {
        Fate fate = wire.commit();
        return fate == Fate.FORGOTTEN
            ? forgotten(() -> call(statement, method, args))
            : pass(fate, "commit", () -> call(statement, method, args));
      }
      return pass(
          wire.statement(real.getAutoCommit()), "statement", () -> call(statement, method, args));
    };
  }

  /** Something that may fail in any way. */
  private interface Work {
    @Nullable Object run() throws Throwable;
  }

  private @Nullable Object pass(Fate fate, String what, Work work) throws Throwable {
    boolean done = fate == Fate.DONE || fate == Fate.LOST_AFTER || fate == Fate.DEAD_AFTER;
    if (!done) {
      lose();
    }
    Object result = done ? work.run() : null;
    switch (fate) {
      case LOST_BEFORE, LOST_AFTER -> {
        broken = true;
        throw new SQLException("the connection was lost at a " + what, "08006");
      }
      case DEAD_BEFORE, DEAD_AFTER -> throw wire.crash();
      default -> {
        return result;
      }
    }
  }

  private @Nullable Object forgotten(Work work) throws Throwable {
    real.setAutoCommit(false);
    try {
      return work.run();
    } finally {
      real.rollback();
      real.setAutoCommit(true);
    }
  }

  private void lose() throws SQLException {
    if (!real.getAutoCommit()) {
      real.rollback();
    }
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }
}
