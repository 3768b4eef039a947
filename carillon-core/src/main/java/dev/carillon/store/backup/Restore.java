package dev.carillon.store.backup;

import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.HistoryStore;
import dev.carillon.store.schema.Migrator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import javax.sql.DataSource;

/**
 * Restores a backup into an empty database: creates the schema of the backup, copies all rows in
 * one transaction, then migrates. A failure leaves at most an empty schema, and can be tried again.
 */
public final class Restore {
  private final Database database;
  private final Migrator migrator;

  /** Fill the database of {@code source} in the name of Carillon {@code version}. */
  public Restore(DataSource source, String version) {
    this.database = new Database(source);
    this.migrator = new Migrator(source, version);
  }

  /**
   * Restore a backup.
   *
   * @throws BackupFormatException if this version cannot restore it, or if it is damaged
   * @throws StoreException if the database is not empty, or fails
   */
  public void from(BackupFile backup, CopyProgress progress) {
    BackupManifest manifest = backup.manifest();
    migrator.checkKnown(
        manifest.carillon(),
        manifest.migrations().stream()
            .collect(
                Collectors.toMap(
                    BackupManifest.Migration::name, BackupManifest.Migration::checksum)));
    refuseUnlessEmpty(manifest);
    migrator.migrateTo(manifest.migrations().size());
    makePartitions(manifest.weeks());
    database.inOneTransaction(tx -> load(tx, backup, progress));
    migrator.migrate();
    database.inOneTransaction(tx -> analyze(tx));
  }

  private void refuseUnlessEmpty(BackupManifest manifest) {
    database.inOneTransaction(
        tx -> {
          var catalog = new Catalog(tx);
          if (!catalog.hasSchema()) {
            return false;
          }
          refuseContents(catalog, catalog.tables());
          int has = catalog.migrations().size();
          if (has > manifest.migrations().size()) {
            throw new StoreException(
                "look for the schema",
                "the empty schema carillon is at %s already, and the backup is of %s; drop it (drop schema carillon cascade), then restore again"
                    .formatted(has, manifest.migrations().size()));
          }
          return true;
        });
  }

  private static void refuseContents(Catalog catalog, List<Catalog.Table> tables) {
    List<String> contents = catalog.contents(tables);
    if (!contents.isEmpty()) {
      throw new StoreException(
          "look for rows",
          "the database is not empty, it has %s; restore into a new data folder or an empty database"
              .formatted(rowsOf(contents)));
    }
  }

  private static String rowsOf(List<String> contents) {
    return contents.get(0).replaceFirst(" in ", " rows in ")
        + contents.stream().skip(1).map(", "::concat).collect(Collectors.joining());
  }

  /* Before the rows: a partition created later would move them out of the default partition. */
  private void makePartitions(List<LocalDate> weeks) {
    var history = new HistoryStore(database);
    for (LocalDate week : weeks) {
      Instant start = week.atStartOfDay(ZoneOffset.UTC).toInstant();
      history.prepare(start, start);
    }
  }

  private static boolean load(Transaction tx, BackupFile backup, CopyProgress progress) {
    var catalog = new Catalog(tx);
    tx.script(
        "take time",
        "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    List<Catalog.Table> tables = catalog.tables();
    tx.script( // against servers that start meanwhile
        "lock all tables",
        "lock table %s in share row exclusive mode".formatted(Catalog.identifiers(tables)));
    refuseContents(catalog, tables);
    Map<String, Catalog.Table> byName =
        tables.stream().collect(Collectors.toMap(Catalog.Table::name, Function.identity()));
    long rows = 0;
    for (BackupManifest.Table table : backup.manifest().tables()) {
      Catalog.Table found = byName.get(table.name());
      if (found == null || !found.columns().equals(table.columns())) {
        throw new BackupFormatException(
            "the columns of table %s are not those of its schema".formatted(table.name()));
      }
      var counted = new Backup.Counted(progress, table.name(), rows, backup.manifest().rows());
      copy(tx.connection(), found, table, backup, counted);
      rows += table.rows();
    }
    catalog.advance(backup.manifest().sequences());
    endLeases(tx);
    return true;
  }

  private static void copy(
      Connection connection,
      Catalog.Table into,
      BackupManifest.Table table,
      BackupFile backup,
      Backup.Counted progress) {
    var rows = new RowStream(progress::copied);
    try (InputStream in = rows.reading(backup.rows(table))) {
      try {
        Backup.copies(connection)
            .copyIn("copy %s (%s) from stdin".formatted(into.identifier(), into.columnList()), in);
      } catch (SQLException e) {
        in.transferTo(OutputStream.nullOutputStream());
        BackupFile.check(table, rows); // rows that are not those written explain the refusal better
        throw StoreException.of("copy " + table.name(), e);
      }
    } catch (ZipException e) {
      throw BackupFile.damaged(table, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    BackupFile.check(table, rows);
  }

  /* The nodes of the backup do not use this database, so their runs are recovered at once. */
  private static void endLeases(Transaction tx) {
    tx.script(
        "end the leases",
        """
        update carillon.node set lease_until = least(lease_until, clock_timestamp());
        update carillon.leader set lease_until = least(lease_until, clock_timestamp());
        """);
  }

  private static boolean analyze(Transaction tx) {
    var catalog = new Catalog(tx);
    tx.script("take time", "set local statement_timeout = 0");
    tx.script("analyze", "analyze " + Catalog.identifiers(catalog.tables()));
    return true;
  }
}
