package dev.carillon.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a handler can do everything but end the transaction. Statements, results,
 * arrays and metadata are guarded as well, since they lead back to the connection.
 */
final class GuardedConnection {
  private static final Set<String> ENDING = Set.of("commit", "close", "abort", "setAutoCommit");

  /* Subtypes first: a callable statement is also a prepared one. */
  private static final List<Class<?>> GUARDED =
      List.of(
          CallableStatement.class,
          PreparedStatement.class,
          Statement.class,
          ResultSet.class,
          DatabaseMetaData.class,
          Array.class);

  private final Connection proxy;
  private volatile boolean stopped;
  private volatile boolean over;

  GuardedConnection(Connection connection) {
    this.proxy = guard(Connection.class, connection);
  }

  Connection proxy() {
    return proxy;
  }

  /** Refuse further statements. */
  void stop() {
    stopped = true;
  }

  /** Refuse everything: the connection goes back to the pool. */
  void close() {
    over = true;
  }

  private <T> T guard(Class<T> type, Object delegate) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new Guard(type, delegate)));
  }

  private @Nullable Object guarded(@Nullable Object result) {
    if (result instanceof Connection) {
      return proxy;
    }
    for (Class<?> type : GUARDED) {
      if (type.isInstance(result)) {
        return guard(type, result);
      }
    }
    return result;
  }

  private final class Guard implements InvocationHandler {
    private final Class<?> type;
    private final Object delegate;

    Guard(Class<?> type, Object delegate) {
      this.type = type;
      this.delegate = delegate;
    }

    @Override
    public @Nullable Object invoke(
        Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return plain(method, arguments);
      }
      refuseAfterwards(method);
      refuseWhenStopped(method);
      if (delegate instanceof Connection) {
        refuseEnding(method);
      }
      if (arguments != null && arguments.length > 0) {
        if (arguments[0] instanceof String sql && takesSql(method)) {
          refuseEnding(sql);
        }
        if (arguments[0] instanceof Class<?> wanted && method.getName().equals("unwrap")) {
          return unwrap(self, wanted);
        }
        if (arguments[0] instanceof Class<?> wanted && method.getName().equals("isWrapperFor")) {
          return wanted.isInstance(self) || isInside(wanted);
        }
      }
      return guarded(call(method, unguarded(arguments)));
    }

    private @Nullable Object plain(Method method, @Nullable Object @Nullable [] arguments)
        throws Throwable {
      return method.getName().equals("equals") && arguments != null
          ? delegate == unguarded(arguments[0])
          : call(method, arguments);
    }

    private void refuseAfterwards(Method method) throws SQLException {
      if (over && !method.getName().equals("close")) {
        throw new SQLException(
            "the transactional handler has returned, and its connection with it; %s() comes too late"
                .formatted(method.getName()),
            "08003");
      }
    }

    private void refuseWhenStopped(Method method) throws SQLException {
      if (stopped && method.getName().startsWith("execute")) {
        throw new SQLException(
            "the run was asked to stop; no further statement is executed", "57014");
      }
    }

    private void refuseEnding(Method method) {
      String name = method.getName();
      boolean rollsAllBack = name.equals("rollback") && method.getParameterCount() == 0;
      if (ENDING.contains(name) || rollsAllBack) {
        throw refusal("call %s()".formatted(name));
      }
    }

    private void refuseEnding(String sql) {
      Optional<String> words = TransactionControl.ending(sql);
      if (words.isPresent()) {
        throw refusal("execute %s".formatted(words.get()));
      }
    }

    private static IllegalStateException refusal(String what) {
      return new IllegalStateException(
          "a transactional handler does not %s: returning commits, throwing rolls back"
              .formatted(what));
    }

    private static boolean takesSql(Method method) {
      String name = method.getName();
      return name.startsWith("execute") || name.startsWith("prepare") || name.equals("addBatch");
    }

    /* Only interfaces can be guarded. */
    private Object unwrap(Object self, Class<?> wanted) throws SQLException {
      if (wanted.isInstance(self)) {
        return self;
      }
      if (!isInside(wanted)) {
        throw new SQLException(
            "a transactional handler cannot unwrap %s from its %s; ask for an interface, such as org.postgresql.PGConnection"
                .formatted(wanted.getName(), type.getSimpleName()));
      }
      return guard(wanted, ((Wrapper) delegate).unwrap(wanted));
    }

    private boolean isInside(Class<?> wanted) throws SQLException {
      return wanted.isInterface()
          && delegate instanceof Wrapper wrapper
          && wrapper.isWrapperFor(wanted);
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(delegate, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    private @Nullable Object @Nullable [] unguarded(@Nullable Object @Nullable [] arguments) {
      return arguments == null
          ? null
          : Arrays.stream(arguments).map(this::unguarded).toArray(Object[]::new);
    }

    /* The driver accepts only its own arrays. */
    private @Nullable Object unguarded(@Nullable Object argument) {
      return argument != null
              && Proxy.isProxyClass(argument.getClass())
              && Proxy.getInvocationHandler(argument) instanceof Guard guard
          ? guard.delegate
          : argument;
    }
  }
}
