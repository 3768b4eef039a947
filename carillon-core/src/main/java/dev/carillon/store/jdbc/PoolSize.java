package dev.carillon.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.common.BaseDataSource;

/** How many connections a data source gives at a time, and whether that is enough. */
public final class PoolSize {
  /* Of HikariCP, Tomcat's pool, DBCP and c3p0. */
  private static final List<String> GETTERS =
      List.of("getMaximumPoolSize", "getMaxActive", "getMaxTotal", "getMaxPoolSize");
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

  private PoolSize() {}

  /** Return the size of the pool that {@code source} is; empty if it is not known or unlimited. */
  public static OptionalInt of(DataSource source) {
    DataSource plain = TransactionAwareProxies.unwrap(source);
    return GETTERS.stream()
        .flatMap(getter -> number(plain, getter).stream().filter(size -> size > 0).boxed())
        .mapToInt(size -> size)
        .findFirst();
  }

  /** Tell whether {@code source} is known to give {@code count} connections at a time. */
  public static boolean isAtLeast(int count, DataSource source) {
    return TransactionAwareProxies.unwrap(source) instanceof BaseDataSource // not a pool: no limit
        || of(source).orElse(0) >= count;
  }

  private static OptionalInt number(DataSource source, String getter) {
    try {
      Method method = source.getClass().getMethod(getter);
      return method.getReturnType() == int.class
          ? OptionalInt.of((int) method.invoke(source))
          : OptionalInt.empty();
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
      return OptionalInt.empty();
    }
  }

  /** Throw if {@code source} gives no second connection while the first is in use. */
  public static void refuseOne(DataSource source, Executor threads) {
    DataSource plain = TransactionAwareProxies.unwrap(source);
    OptionalInt size = of(plain);
    if (size.isPresent() && size.getAsInt() < 2) {
      throw refusal("the pool has one connection");
    }
    if (size.isEmpty() && !(plain instanceof BaseDataSource)) { // the driver's own: not a pool
      tryTwo(plain, threads);
    }
  }

  private static void tryTwo(DataSource source, Executor threads) {
    try (Connection first = source.getConnection()) {
      CompletableFuture<Boolean> second =
          CompletableFuture.supplyAsync(() -> isAnother(first, source), threads);
      if (!second.get(CONNECTION_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw refusal("the data source gives the same connection to all");
      }
    } catch (SQLException e) {
      throw StoreException.unreachable(e);
    } catch (TimeoutException e) {
      throw refusal(
          "the data source gave no second connection within %s s while the first was in use"
              .formatted(CONNECTION_TIMEOUT.toSeconds()));
    } catch (ExecutionException e) {
      throw refusal(
          "the data source gave no second connection while the first was in use (%s)"
              .formatted(e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
    } catch (RejectedExecutionException stopped) {
      // The scheduler was closed while it started.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isAnother(Connection first, DataSource source) {
    try (Connection second = source.getConnection()) {
      return !first.isWrapperFor(PGConnection.class)
          || first.unwrap(PGConnection.class) != second.unwrap(PGConnection.class);
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static StoreException refusal(String what) {
    return new StoreException(
        "check the pool",
        what
            + ", and a scheduler needs one to listen and others to work; give it a pool of at least six");
  }
}
