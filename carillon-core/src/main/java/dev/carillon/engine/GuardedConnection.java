package dev.carillon.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connection on which a handler can do everything but end the transaction. */
final class GuardedConnection implements InvocationHandler {
  private static final Set<String> ENDING = Set.of("commit", "close", "abort", "setAutoCommit");

  private final Connection connection;

  GuardedConnection(Connection connection) {
    this.connection = connection;
  }

  Connection proxy() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    boolean rollsAllBack = method.getName().equals("rollback") && method.getParameterCount() == 0;
    if (ENDING.contains(method.getName()) || rollsAllBack) {
      throw new IllegalStateException(
          "a transactional handler does not call %s(): returning commits, throwing rolls back"
              .formatted(method.getName()));
    }
    if (method.getName().equals("equals") && arguments != null) {
      return proxy == arguments[0];
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
