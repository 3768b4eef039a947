package dev.carillon.store.backup;

import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * Writes all data of Carillon into a ZIP archive: the rows of each table, in the text format of
 * PostgreSQL's COPY, and a {@link BackupManifest}. All tables are read in one snapshot, without
 * locks.
 */
public final class Backup {
  static final String MANIFEST = "manifest.json";

  private final Database database;
  private final String version;

  /** Copy the database of {@code source} in the name of Carillon {@code version}. */
  public Backup(DataSource source, String version) {
    this.database = new Database(source);
    this.version = version;
  }

  /**
   * Write a backup to {@code file}, which is left open.
   *
   * @throws StoreException if there is nothing to copy or the database fails
   * @throws UncheckedIOException if the file cannot be written
   */
  public BackupManifest write(OutputStream file, CopyProgress progress) {
    return database.inOneTransaction(
        tx -> {
          try {
            var zip = new ZipOutputStream(file, StandardCharsets.UTF_8);
            BackupManifest manifest = write(tx, zip, progress);
            entry(zip, MANIFEST);
            zip.write(manifest.toJson().getBytes(StandardCharsets.UTF_8));
            zip.finish();
            return manifest;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private BackupManifest write(Transaction tx, ZipOutputStream zip, CopyProgress progress)
      throws IOException {
    var catalog = new Catalog(tx);
    tx.script("begin a snapshot", "set transaction isolation level repeatable read, read only");
    tx.script(
        "take time",
        "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    if (!catalog.hasSchema()) {
      throw new StoreException(
          "look for the schema",
          "there is nothing to back up: the database has no schema carillon");
    }
    Instant takenAt = catalog.clock();
    List<Catalog.Table> tables = catalog.tables();
    long about = tables.stream().mapToLong(Catalog.Table::about).sum();
    var written = new ArrayList<BackupManifest.Table>();
    long rows = 0;
    for (Catalog.Table table : tables) {
      entry(zip, nameOf(table.name()));
      written.add(
          copy(tx.connection(), table, zip, new Counted(progress, table.name(), rows, about)));
      rows += written.get(written.size() - 1).rows();
    }
    return new BackupManifest(
        takenAt,
        version,
        catalog.postgresVersion(),
        catalog.migrations(),
        written,
        catalog.sequences(), // read last: a sequence is no part of the snapshot, and only grows
        catalog.weeks());
  }

  private static BackupManifest.Table copy(
      Connection connection, Catalog.Table table, OutputStream out, Counted progress)
      throws IOException {
    var rows = new RowStream(progress::copied);
    try {
      copies(connection)
          .copyOut(
              "copy (select %s from %s) to stdout"
                  .formatted(table.columnList(), table.identifier()),
              rows.writing(out));
    } catch (SQLException e) {
      throw StoreException.of("copy " + table.name(), e);
    }
    progress.copied(rows.rows());
    return new BackupManifest.Table(table.name(), table.columns(), rows.rows(), rows.checksum());
  }

  static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  static String nameOf(String table) {
    return table + ".copy";
  }

  /* Without times, so that two backups of the same data are equal. */
  private static void entry(ZipOutputStream zip, String name) throws IOException {
    var entry = new ZipEntry(name);
    entry.setTime(0);
    zip.putNextEntry(entry);
  }

  record Counted(CopyProgress progress, String table, long before, long expected) {
    void copied(long rows) {
      progress.copied(table, before + rows, Math.max(expected, before + rows));
    }
  }
}
