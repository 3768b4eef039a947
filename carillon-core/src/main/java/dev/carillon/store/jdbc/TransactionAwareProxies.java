package dev.carillon.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Unwraps data sources of frameworks that hand out the connection of the caller's transaction,
 * which Carillon would commit. They are known by name, so that no framework is needed here.
 */
final class TransactionAwareProxies {
  private static final String TARGET = "getTargetDataSource";
  private static final List<String> NAMES =
      List.of(
          "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
          "io.micronaut.data.connection.jdbc.advice.DelegatingDataSource",
          "io.micronaut.transaction.jdbc.DelegatingDataSource");

  private TransactionAwareProxies() {}

  /** Return the data source inside all known proxies of {@code source}. */
  static DataSource unwrap(DataSource source) {
    DataSource plain = source;
    for (var inner = target(plain); inner.isPresent(); inner = target(plain)) {
      plain = inner.get();
    }
    return plain;
  }

  private static Optional<DataSource> target(DataSource source) {
    return NAMES.stream()
        .flatMap(name -> types(name, source))
        .flatMap(type -> target(type, source).stream())
        .findFirst();
  }

  /* A wrapper of the proxy may come from another class loader. */
  private static Stream<Class<?>> types(String name, DataSource source) {
    return Stream.of(
            source.getClass().getClassLoader(), Thread.currentThread().getContextClassLoader())
        .filter(Objects::nonNull)
        .distinct()
        .flatMap(
            loader -> {
              try {
                return Stream.of(Class.forName(name, false, loader));
              } catch (ClassNotFoundException | LinkageError notThere) {
                return Stream.empty();
              }
            });
  }

  private static Optional<DataSource> target(Class<?> type, DataSource source) {
    try {
      Object proxy = type.isInstance(source) ? source : inside(type, source);
      return proxy == null
          ? Optional.empty()
          : Optional.ofNullable((DataSource) type.getMethod(TARGET).invoke(proxy));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(
          "cannot tell what %s wraps, and on its connections would end the caller's transactions; give Carillon the pool itself"
              .formatted(type.getName()),
          e);
    }
  }

  private static @Nullable Object inside(Class<?> type, DataSource source) {
    try {
      return source.isWrapperFor(type) ? source.unwrap(type) : null;
    } catch (SQLException notAWrapper) {
      return null;
    }
  }
}
