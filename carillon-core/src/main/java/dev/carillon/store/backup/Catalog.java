package dev.carillon.store.backup;

import dev.carillon.store.jdbc.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the schema of a database is made of, as its own catalogue has it. */
final class Catalog {
  private final Connection connection;

  Catalog(Connection connection) {
    this.connection = connection;
  }

  /**
   * A table of the schema.
   *
   * @param identifier its name, quoted for a statement
   * @param columns its columns, in the order of the table
   * @param columnList the same, quoted for a statement
   * @param about how many rows it has, as of the last time PostgreSQL looked
   */
  record Table(
      String name, String identifier, List<String> columns, String columnList, long about) {
    Table {
      columns = List.copyOf(columns);
    }
  }

  boolean hasSchema() {
    return !list(
            "look for the schema",
            """
            select 1
              from pg_catalog.pg_class
             where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = 'carillon')
               and relname = 'migration'
            """,
            row -> true)
        .isEmpty();
  }

  /** Return the tables that hold data: not that of migrations, which the schema itself fills. */
  List<Table> tables() {
    return list(
        "list tables",
        """
        select class.relname as name,
               format('%I.%I', 'carillon', class.relname) as identifier,
               array_agg(attribute.attname::text order by attribute.attnum) as columns,
               string_agg(quote_ident(attribute.attname), ', ' order by attribute.attnum) as column_list,
               case class.relkind
                 when 'p' then (select coalesce(sum(greatest(child.reltuples, 0)), 0)
                                  from pg_catalog.pg_inherits
                                  join pg_catalog.pg_class as child
                                    on child.oid = pg_inherits.inhrelid
                                 where pg_inherits.inhparent = class.oid)
                 else greatest(class.reltuples, 0)
               end::bigint as about
          from pg_catalog.pg_class as class
          join pg_catalog.pg_attribute as attribute
            on attribute.attrelid = class.oid
           and attribute.attnum > 0
           and not attribute.attisdropped
           and attribute.attgenerated = ''
         where class.relnamespace = 'carillon'::regnamespace
           and class.relkind in ('r', 'p')
           and not class.relispartition
           and class.relname <> 'migration'
         group by class.oid, class.relname, class.relkind, class.reltuples
         order by class.relname
        """,
        row ->
            new Table(
                row.getString("name"),
                row.getString("identifier"),
                List.of((String[]) row.getArray("columns").getArray()),
                row.getString("column_list"),
                row.getLong("about")));
  }

  List<BackupManifest.Migration> migrations() {
    return list(
        "read the migrations",
        "select name, checksum from carillon.migration order by number",
        row -> new BackupManifest.Migration(row.getString("name"), row.getString("checksum")));
  }

  Map<String, Long> sequences() {
    var values = new LinkedHashMap<String, Long>();
    list(
            "read the sequences",
            """
            select sequencename, last_value
              from pg_catalog.pg_sequences
             where schemaname = 'carillon'
               and last_value is not null
             order by sequencename
            """,
            row -> Map.entry(row.getString("sequencename"), row.getLong("last_value")))
        .forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    return values;
  }

  /** Return the first days of the weeks that finished runs have a partition for. */
  List<LocalDate> weeks() {
    return list(
        "list partitions",
        """
        select substring(child.relname from '^history_(\\d{8})$') as week
          from pg_catalog.pg_inherits
          join pg_catalog.pg_class as child
            on child.oid = pg_inherits.inhrelid
         where pg_inherits.inhparent = 'carillon.history'::regclass
           and child.relname ~ '^history_\\d{8}$'
         order by child.relname
        """,
        row -> LocalDate.parse(row.getString("week"), DateTimeFormatter.BASIC_ISO_DATE));
  }

  /** Return how many rows each table that has any has, as {@code 3 in schedule}. */
  List<String> contents(List<Table> tables) {
    return tables.stream()
        .flatMap(
            table ->
                list(
                        "look for rows",
                        "select count(*) as rows from (select from %s limit 1000) as counted"
                            .formatted(table.identifier()),
                        row -> row.getLong("rows"))
                    .stream()
                    .filter(rows -> rows > 0)
                    .map(rows -> (rows < 1000 ? rows : "1000 or more") + " in " + table.name()))
        .toList();
  }

  long dueRuns() {
    return list(
            "count due runs",
            """
            select count(*) as runs
              from carillon.run
             where state = 'pending'
               and due_at <= clock_timestamp()
            """,
            row -> row.getLong("runs"))
        .get(0);
  }

  long runningRuns() {
    return list(
            "count running runs",
            "select count(*) as runs from carillon.run where state = 'running'",
            row -> row.getLong("runs"))
        .get(0);
  }

  Instant clock() {
    return list(
            "read the clock",
            "select clock_timestamp() as now",
            row -> row.getObject("now", OffsetDateTime.class).toInstant())
        .get(0);
  }

  String postgresVersion() {
    return list(
            "read the version",
            "select current_setting('server_version') as version",
            row -> row.getString("version"))
        .get(0);
  }

  void run(String name, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  /** Let each sequence go on after its value. */
  void advance(Map<String, Long> sequences) {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select setval(format('carillon.%I', ?::text)::regclass, ?, true)")) {
      for (Map.Entry<String, Long> sequence : sequences.entrySet()) {
        statement.setString(1, sequence.getKey());
        statement.setLong(2, sequence.getValue());
        statement.execute();
      }
    } catch (SQLException e) {
      throw StoreException.of("set the sequences", e);
    }
  }

  static String identifiers(List<Table> tables) {
    return tables.stream().map(Table::identifier).collect(Collectors.joining(", "));
  }

  private <T> List<T> list(String name, String sql, RowReader<T> reader) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      var values = new ArrayList<T>();
      while (rows.next()) {
        values.add(reader.read(rows));
      }
      return values;
    } catch (SQLException e) {
      throw StoreException.of(name, e);
    }
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }
}
