package dev.carillon.store.backup;

import dev.carillon.store.jdbc.Statements;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads tables, sequences and migrations of a schema from the catalogue. */
final class Catalog {
  private final Statements statements;

  Catalog(Statements statements) {
    this.statements = statements;
  }

  /** A table, with its name and columns quoted for a statement, and an estimate of its rows. */
  record Table(
      String name, String identifier, List<String> columns, String columnList, long about) {
    Table {
      columns = List.copyOf(columns);
    }
  }

  boolean hasSchema() {
    return !statements
        .query(
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

  /** Return the tables without that of migrations, which the migrator fills. */
  List<Table> tables() {
    return statements.query(
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
                row.text("name"),
                row.text("identifier"),
                row.texts("columns"),
                row.text("column_list"),
                row.number("about")));
  }

  List<BackupManifest.Migration> migrations() {
    return statements.query(
        "read the migrations",
        "select name, checksum from carillon.migration order by number",
        row -> new BackupManifest.Migration(row.text("name"), row.text("checksum")));
  }

  Map<String, Long> sequences() {
    return statements.map(
        "read the sequences",
        """
        select sequencename, last_value
          from pg_catalog.pg_sequences
         where schemaname = 'carillon'
           and last_value is not null
         order by sequencename
        """,
        bind -> {},
        row -> row.text("sequencename"),
        row -> row.number("last_value"));
  }

  /** Return the first days of the weeks with a partition of the history. */
  List<LocalDate> weeks() {
    return statements.query(
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
        row -> LocalDate.parse(row.text("week"), DateTimeFormatter.BASIC_ISO_DATE));
  }

  /** Return the numbers of rows of tables that are not empty, such as {@code 3 in schedule}. */
  List<String> contents(List<Table> tables) {
    return tables.stream()
        .flatMap(
            table ->
                statements
                    .query(
                        "look for rows",
                        "select count(*) as rows from (select from %s limit 1000) as counted"
                            .formatted(table.identifier()),
                        row -> row.number("rows"))
                    .stream()
                    .filter(rows -> rows > 0)
                    .map(rows -> (rows < 1000 ? rows : "1000 or more") + " in " + table.name()))
        .toList();
  }

  long dueRuns() {
    return statements.one(
        "count due runs",
        """
        select count(*) as runs
          from carillon.run
         where state = 'pending'
           and due_at <= clock_timestamp()
        """,
        row -> row.number("runs"));
  }

  long runningRuns() {
    return statements.one(
        "count running runs",
        "select count(*) as runs from carillon.run where state = 'running'",
        row -> row.number("runs"));
  }

  Instant clock() {
    return statements.one(
        "read the clock", "select clock_timestamp() as now", row -> row.instant("now"));
  }

  String postgresVersion() {
    return statements.one(
        "read the version",
        "select current_setting('server_version') as version",
        row -> row.text("version"));
  }

  /** Continue each sequence after its value. */
  void advance(Map<String, Long> sequences) {
    sequences.forEach(
        (name, value) ->
            statements.query(
                "set the sequences",
                "select setval(format('carillon.%I', :name::text)::regclass, :value, true)",
                bind -> bind.set("name", name).set("value", value),
                row -> true));
  }

  static String identifiers(List<Table> tables) {
    return tables.stream().map(Table::identifier).collect(Collectors.joining(", "));
  }
}
