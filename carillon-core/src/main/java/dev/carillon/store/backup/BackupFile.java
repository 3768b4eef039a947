package dev.carillon.store.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A backup, open for reading. */
public final class BackupFile implements AutoCloseable {
  private static final int MAX_MANIFEST = 16 << 20;

  private final ZipFile zip;
  private final BackupManifest manifest;

  private BackupFile(ZipFile zip, BackupManifest manifest) {
    this.zip = zip;
    this.manifest = manifest;
  }

  /**
   * Open a backup.
   *
   * @throws BackupFormatException if the file is none, or not a whole one
   * @throws UncheckedIOException if it cannot be read
   */
  public static BackupFile open(Path file) {
    try {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString());
      }
      var zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
      try {
        return new BackupFile(zip, manifest(zip));
      } catch (IOException | RuntimeException e) {
        zip.close();
        throw e;
      }
    } catch (ZipException e) {
      throw new BackupFormatException("it is no backup of Carillon, or its end is missing", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BackupManifest manifest(ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(Backup.MANIFEST);
    if (entry == null) {
      throw new BackupFormatException("it is no backup of Carillon: it has no " + Backup.MANIFEST);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes(MAX_MANIFEST + 1);
      if (bytes.length > MAX_MANIFEST) {
        throw new BackupFormatException("its manifest is larger than 16 MiB");
      }
      return BackupManifest.fromJson(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /** Return its manifest. */
  public BackupManifest manifest() {
    return manifest;
  }

  /**
   * Read all of it and compare it with its checksums.
   *
   * @throws BackupFormatException if a table is not as it was written
   */
  public void verify(CopyProgress progress) {
    long before = 0;
    for (BackupManifest.Table table : manifest.tables()) {
      var counted = new Backup.Counted(progress, table.name(), before, manifest.rows());
      var rows = new RowStream(counted::copied);
      try (InputStream in = rows.reading(rows(table))) {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (ZipException e) {
        throw damaged(table, e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      check(table, rows);
      before += rows.rows();
    }
  }

  InputStream rows(BackupManifest.Table table) throws IOException {
    ZipEntry entry = zip.getEntry(Backup.nameOf(table.name()));
    if (entry == null) {
      throw new BackupFormatException("the rows of table %s are missing".formatted(table.name()));
    }
    return zip.getInputStream(entry);
  }

  static void check(BackupManifest.Table table, RowStream read) {
    if (read.rows() != table.rows() || !read.checksum().equals(table.sha256())) {
      throw damaged(table, null);
    }
  }

  static BackupFormatException damaged(BackupManifest.Table table, @Nullable Throwable cause) {
    return new BackupFormatException(
        "it is damaged: the rows of table %s are not those that were written"
            .formatted(table.name()),
        cause);
  }

  @Override
  public void close() {
    try {
      zip.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
