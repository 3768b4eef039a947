package dev.carillon.store.jdbc;

import dev.carillon.model.ChangedBy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters, by name. */
public final class Bind {
  private final String statement;
  private final Set<String> names;
  private final Map<String, @Nullable Object> values = new HashMap<>();
  private boolean batch;

  Bind(String statement, Set<String> names) {
    this.statement = statement;
    this.names = names;
  }

  /** Give {@code name} a value; a nullable column takes null. */
  public Bind set(String name, @Nullable Object value) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException("%s has no parameter :%s".formatted(statement, name));
    }
    Object plain = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    values.put(name, plain instanceof Instant at ? at.atOffset(ZoneOffset.UTC) : plain);
    return this;
  }

  /** Give {@code at} and {@code by} the time and the author of a change. */
  public Bind by(ChangedBy change) {
    return set("at", change.at()).set("by", change.by());
  }

  /** Give {@code name} an array of {@code items}, each made SQL by {@code toValue}. */
  public <T> Bind array(
      String name, String type, Collection<T> items, Function<T, @Nullable Object> toValue) {
    batch = true;
    return each(name, type, items, toValue);
  }

  /**
   * Give {@code name} an array whose items are inserted, or looked up one by one: the plan is the
   * same for any number of them, so the statement may stay prepared. For a lookup, {@code (select
   * :name)} hides the number from the planner.
   */
  public <T> Bind each(
      String name, String type, Collection<T> items, Function<T, @Nullable Object> toValue) {
    var array = new ArrayList<@Nullable Object>(items.size());
    for (T item : items) {
      Object value = toValue.apply(item);
      array.add(plain(value instanceof Optional<?> optional ? optional.orElse(null) : value));
    }
    return set(name, new Items(type, array));
  }

  /* The driver sends times in an array as text. */
  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof Instant at ? at.toString() : value;
  }

  /** Tell whether a parameter is an array that needs a plan for its number of items. */
  boolean isBatch() {
    return batch;
  }

  /** Set {@code parameters} after the first {@code filled}; return how many are set then. */
  int fill(Connection connection, PreparedStatement statement, List<String> parameters, int filled)
      throws SQLException {
    int index = filled;
    for (String parameter : parameters) {
      Object value = value(parameter);
      if (value instanceof Items items) {
        statement.setArray(++index, connection.createArrayOf(items.type, items.toArray()));
      } else {
        statement.setObject(++index, value);
      }
    }
    return index;
  }

  private @Nullable Object value(String name) {
    if (!values.containsKey(name)) {
      var missing = new HashSet<>(names);
      missing.removeAll(values.keySet());
      throw new IllegalArgumentException("%s needs a value for %s".formatted(statement, missing));
    }
    return values.get(name);
  }

  /** The values of an array parameter, and the SQL type of one of them. */
  private record Items(String type, List<@Nullable Object> values) {

    /* The driver sends an array in binary if it has the class that belongs to the type. */
    @Nullable Object[] toArray() {
      return switch (type) {
        case "bigint" -> values.toArray(new Long[0]);
        case "int" -> values.toArray(new Integer[0]);
        case "text" -> values.toArray(new String[0]);
        default -> values.toArray();
      };
    }
  }
}
