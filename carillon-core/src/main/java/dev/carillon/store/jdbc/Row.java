package dev.carillon.store.jdbc;

import dev.carillon.json.JsonSize;
import dev.carillon.model.ChangedBy;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The current row of a result, by column name. */
public final class Row {
  private final String statement;
  private final ResultSet rows;
  private final boolean measured;
  private long jsonBytes;

  Row(String statement, ResultSet rows) {
    this(statement, rows, false);
  }

  private Row(String statement, ResultSet rows, boolean measured) {
    this.statement = statement;
    this.rows = rows;
    this.measured = measured;
  }

  /** Return the current row alone, which counts the bytes of the texts that are read from it. */
  static Row measured(String statement, ResultSet rows) {
    return new Row(statement, rows, true);
  }

  /** Return how many bytes of JSON the texts have that were read so far, if they are counted. */
  public long jsonBytes() {
    return jsonBytes;
  }

  public String text(String column) {
    return present(column, optionalText(column));
  }

  public int integer(String column) {
    return value(column, Integer.class);
  }

  public long number(String column) {
    return value(column, Long.class);
  }

  public UUID uuid(String column) {
    return value(column, UUID.class);
  }

  /* getObject returns no String for jsonb. */
  public Optional<String> optionalText(String column) {
    Optional<String> text = optionalString(column);
    if (measured) {
      text.ifPresent(value -> jsonBytes += JsonSize.ofText(value));
    }
    return text;
  }

  /** Return JSON, which is written as it stands. */
  public Optional<String> optionalJson(String column) {
    Optional<String> json = optionalString(column);
    if (measured) {
      json.ifPresent(value -> jsonBytes += JsonSize.ofJson(value));
    }
    return json;
  }

  private Optional<String> optionalString(String column) {
    try {
      return Optional.ofNullable(rows.getString(column));
    } catch (SQLException e) {
      throw StoreException.of(statement, e);
    }
  }

  public Optional<Long> optionalNumber(String column) {
    return optional(column, Long.class);
  }

  public Optional<Integer> optionalInteger(String column) {
    return optional(column, Integer.class);
  }

  public Optional<UUID> optionalUuid(String column) {
    return optional(column, UUID.class);
  }

  public Optional<Instant> optionalInstant(String column) {
    return optional(column, OffsetDateTime.class).map(OffsetDateTime::toInstant);
  }

  public Optional<byte[]> optionalBytes(String column) {
    try {
      return Optional.ofNullable(rows.getBytes(column));
    } catch (SQLException e) {
      throw StoreException.of(statement, e);
    }
  }

  public List<String> texts(String column) {
    try {
      Array array = rows.getArray(column);
      List<String> texts = array == null ? List.of() : List.of((String[]) array.getArray());
      if (measured) {
        texts.forEach(text -> jsonBytes += JsonSize.ofText(text));
      }
      return texts;
    } catch (SQLException e) {
      throw StoreException.of(statement, e);
    }
  }

  /** Return an array of times; none if it is null. */
  public List<Instant> instants(String column) {
    try {
      Array array = rows.getArray(column);
      return array == null
          ? List.of()
          : Stream.of((Timestamp[]) array.getArray()).map(Timestamp::toInstant).toList();
    } catch (SQLException e) {
      throw StoreException.of(statement, e);
    }
  }

  public boolean flag(String column) {
    return value(column, Boolean.class);
  }

  public Instant instant(String column) {
    return value(column, OffsetDateTime.class).toInstant();
  }

  public <E extends Enum<E>> E constant(String column, Class<E> type) {
    return EnumText.read(type, text(column));
  }

  /** Return the change whose time and author are in {@code <action>_at} and {@code <action>_by}. */
  public ChangedBy changedBy(String action) {
    return new ChangedBy(instant(action + "_at"), text(action + "_by"));
  }

  public Optional<ChangedBy> optionalChangedBy(String action) {
    return optionalInstant(action + "_at").map(at -> new ChangedBy(at, text(action + "_by")));
  }

  private <T> T value(String column, Class<T> type) {
    return present(column, optional(column, type));
  }

  private <T> T present(String column, Optional<T> value) {
    return value.orElseThrow(
        () -> new IllegalStateException("%s: %s is null".formatted(statement, column)));
  }

  private <T> Optional<T> optional(String column, Class<T> type) {
    try {
      return Optional.ofNullable(rows.getObject(column, type));
    } catch (SQLException e) {
      throw StoreException.of(statement, e);
    }
  }
}
