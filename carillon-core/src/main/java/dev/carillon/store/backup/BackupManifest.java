package dev.carillon.store.backup;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a backup holds, and by which versions it was made.
 *
 * @param takenAt the moment it shows, by the database's clock
 * @param carillon the version of Carillon that made it
 * @param postgres the version of PostgreSQL it was made from
 * @param migrations the migrations the schema had, in order
 * @param tables the tables, in the order they are restored
 * @param sequences the last value of each sequence that was used
 * @param weeks the weeks that finished runs had a partition for, by their first day
 */
public record BackupManifest(
    Instant takenAt,
    String carillon,
    String postgres,
    List<Migration> migrations,
    List<Table> tables,
    Map<String, Long> sequences,
    List<LocalDate> weeks) {
  private static final String FORMAT = "carillon-backup";
  private static final long FORMAT_VERSION = 1;

  /** A migration the schema had. */
  public record Migration(String name, String checksum) {}

  /**
   * A table.
   *
   * @param columns its columns, in the order of the values in each row
   * @param rows how many rows it has
   * @param sha256 the checksum of its rows as they are written, in hexadecimal
   */
  public record Table(String name, List<String> columns, long rows, String sha256) {
    public Table {
      columns = List.copyOf(columns);
    }
  }

  public BackupManifest {
    migrations = List.copyOf(migrations);
    tables = List.copyOf(tables);
    sequences = Map.copyOf(sequences);
    weeks = List.copyOf(weeks);
  }

  /** Return how many rows all tables have. */
  public long rows() {
    return tables.stream().mapToLong(Table::rows).sum();
  }

  String toJson() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("format", FORMAT);
    json.put("formatVersion", FORMAT_VERSION);
    json.put("takenAt", takenAt.toString());
    json.put("carillon", carillon);
    json.put("postgres", postgres);
    json.put(
        "migrations",
        migrations.stream()
            .map(one -> Map.of("name", one.name(), "checksum", one.checksum()))
            .toList());
    json.put(
        "tables",
        tables.stream()
            .map(
                one ->
                    Map.of(
                        "name", one.name(),
                        "columns", one.columns(),
                        "rows", one.rows(),
                        "sha256", one.sha256()))
            .toList());
    json.put("sequences", sequences);
    json.put("weeks", weeks.stream().map(LocalDate::toString).toList());
    return Json.write(json);
  }

  static BackupManifest fromJson(String text) {
    try {
      Map<String, @Nullable Object> json = Json.readObject(text);
      checkFormat(json);
      return new BackupManifest(
          Instant.parse(text(json, "takenAt")),
          text(json, "carillon"),
          text(json, "postgres"),
          objects(json, "migrations").stream()
              .map(one -> new Migration(text(one, "name"), text(one, "checksum")))
              .toList(),
          objects(json, "tables").stream()
              .map(
                  one ->
                      new Table(
                          text(one, "name"),
                          texts(one, "columns"),
                          number(one, "rows"),
                          text(one, "sha256")))
              .toList(),
          sequences(json),
          texts(json, "weeks").stream().map(LocalDate::parse).toList());
    } catch (JsonException | ClassCastException | DateTimeException e) {
      throw new BackupFormatException("its manifest cannot be read: " + e.getMessage(), e);
    }
  }

  private static void checkFormat(Map<String, @Nullable Object> json) {
    if (!FORMAT.equals(json.get("format"))) {
      throw new BackupFormatException("its manifest does not say that it is a backup of Carillon");
    }
    if (number(json, "formatVersion") != FORMAT_VERSION) {
      throw new BackupFormatException(
          "it has format %s, made by Carillon %s, and this version reads format %s; restore it with that version or a later one"
              .formatted(json.get("formatVersion"), json.get("carillon"), FORMAT_VERSION));
    }
  }

  private static Map<String, Long> sequences(Map<String, @Nullable Object> json) {
    var sequences = new LinkedHashMap<String, Long>();
    Map<String, @Nullable Object> found = object(json.get("sequences"), "sequences");
    found.keySet().forEach(name -> sequences.put(name, number(found, name)));
    return sequences;
  }

  private static List<Map<String, @Nullable Object>> objects(
      Map<String, @Nullable Object> json, String name) {
    return list(json, name).stream().map(one -> object(one, name)).toList();
  }

  private static List<String> texts(Map<String, @Nullable Object> json, String name) {
    return list(json, name).stream().map(String.class::cast).toList();
  }

  private static List<?> list(Map<String, @Nullable Object> json, String name) {
    if (json.get(name) instanceof List<?> list) {
      return list;
    }
    throw new BackupFormatException("its manifest has no " + name);
  }

  @SuppressWarnings("unchecked") // the reader makes maps with string keys only
  private static Map<String, @Nullable Object> object(@Nullable Object value, String name) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new BackupFormatException("its manifest has no " + name);
  }

  private static String text(Map<String, @Nullable Object> json, String name) {
    if (json.get(name) instanceof String text) {
      return text;
    }
    throw new BackupFormatException("its manifest has no " + name);
  }

  private static long number(Map<String, @Nullable Object> json, String name) {
    if (json.get(name) instanceof Long number) {
      return number;
    }
    throw new BackupFormatException("its manifest has no " + name);
  }
}
