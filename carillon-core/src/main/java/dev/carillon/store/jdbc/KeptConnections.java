package dev.carillon.store.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;

/**
 * The connections of a data source, some of which are kept between uses, and returned when none was
 * needed for a while.
 *
 * <p>The driver's own data source connects anew each time, and a pool asks a connection that was
 * idle whether it still works: both take round trips that the work waits for. Of a pool few are
 * kept, by all schedulers that share it together, and none of a small one. When one turns out to be
 * broken, the others are returned, too.
 */
public final class KeptConnections implements DataSource, AutoCloseable {
  private static final int MOST = 8;
  private static final int MOST_OF_POOL = 3;
  private static final int MIN_POOL = 10;
  private static final Duration IDLE = Duration.ofSeconds(10);

  /* So that a pool can replace connections of a certain age, and takes none for lost. */
  private static final Duration MAX_AGE = Duration.ofSeconds(30);

  /* How many more may be kept of each pool. */
  private static final Map<DataSource, Semaphore> POOLS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final DataSource source;
  private final Optional<Semaphore> room;

  /* The last one returned is the first. Both guarded by this. */
  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean closed;

  /** A connection that was borrowed at some time, in nanoseconds. */
  private record Kept(Connection connection, long borrowedAt) {
    boolean isTooOld() {
      return System.nanoTime() - borrowedAt > MAX_AGE.toNanos();
    }
  }

  private record Idle(Kept kept, long since) {
    boolean isTooOld() {
      return System.nanoTime() - since > IDLE.toNanos() || kept.isTooOld();
    }
  }

  public KeptConnections(DataSource source) {
    this.source = TransactionAwareProxies.unwrap(source);
    this.room = room(this.source);
  }

  private static Optional<Semaphore> room(DataSource source) {
    if (source instanceof BaseDataSource) {
      return Optional.of(new Semaphore(MOST));
    }
    return PoolSize.isAtLeast(MIN_POOL, source)
        ? Optional.of(POOLS.computeIfAbsent(source, pool -> new Semaphore(MOST_OF_POOL)))
        : Optional.empty();
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (room.isEmpty()) {
      return source.getConnection();
    }
    Kept kept = take(room.get());
    return lend(
        kept == null ? new Kept(source.getConnection(), System.nanoTime()) : kept, room.get());
  }

  private @Nullable Kept take(Semaphore room) {
    Idle first;
    var old = new ArrayList<Idle>();
    synchronized (this) {
      first = idle.pollFirst();
      while (!idle.isEmpty() && idle.getLast().isTooOld()) {
        old.add(idle.removeLast());
      }
      room.release(old.size() + (first == null ? 0 : 1));
    }
    close(old);
    if (first == null || !first.isTooOld()) {
      return first == null ? null : first.kept;
    }
    close(List.of(first));
    return null;
  }

  private Connection lend(Kept kept, Semaphore room) {
    Connection connection = kept.connection;
    var over = new AtomicBoolean();
    InvocationHandler lending =
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            if (over.compareAndSet(false, true)) {
              takeBack(kept, room);
            }
            return null;
          }
          if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
          }
        };
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, lending);
  }

  private void takeBack(Kept kept, Semaphore room) {
    boolean broken = isBroken(kept.connection);
    var unused = new ArrayList<Idle>();
    synchronized (this) {
      if (broken) {
        room.release(idle.size());
        unused.addAll(idle);
        idle.clear();
      } else if (!closed && !kept.isTooOld() && room.tryAcquire()) {
        idle.addFirst(new Idle(kept, System.nanoTime()));
      } else {
        unused.add(new Idle(kept, System.nanoTime()));
      }
    }
    close(unused);
  }

  private static boolean isBroken(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  private static void close(List<Idle> unused) {
    for (Idle one : unused) {
      try {
        one.kept.connection.close();
      } catch (SQLException alreadyBroken) {
        // It is closed already.
      }
    }
  }

  /** Keep no connection any more. */
  @Override
  public void close() {
    var unused = new ArrayList<Idle>();
    synchronized (this) {
      closed = true;
      unused.addAll(idle);
      idle.clear();
      room.ifPresent(kept -> kept.release(unused.size()));
    }
    close(unused);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("kept connections have the user of their source");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return source.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("kept connections are not a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
