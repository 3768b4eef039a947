package dev.carillon.postgres;

import dev.carillon.postgres.LocalPostgres.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The data folder of one server, locked by one process at a time. */
final class DataFolder {
  private static final String LOCK = "carillon.lock";
  private static final String CLUSTER = "postgres";
  private static final String PASSWORD = "postgres.password";
  private static final String OWNER_PASSWORD = "postgres.owner.password";
  private static final Path MEMORY_FOLDER = Path.of("/dev/shm");
  private static final long MIN_FREE_BYTES = 2L << 30; // containers often have 64 MB of it
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final FolderLock lock;
  private final boolean temporary;

  private DataFolder(Path path, FolderLock lock, boolean temporary) {
    this.path = path;
    this.lock = lock;
    this.temporary = temporary;
  }

  /** Lock {@code folder}, creating it if necessary, or fail naming the process that holds it. */
  static DataFolder lock(Path folder, String holder) {
    try {
      Path path = create(folder);
      if (!isOursOrEmpty(path)) {
        throw new PostgresException(
            "folder %s holds files that are not Carillon's; choose an empty or new one with --data"
                .formatted(folder));
      }
      FolderLock lock = FolderLock.acquire(path.resolve(LOCK), holder);
      restrictToOwner(path);
      return new DataFolder(path, lock, false);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /** Return the process that holds {@code folder}; empty if none does, or if that is unknown. */
  static Optional<String> holder(Path folder) {
    try {
      return FolderLock.holder(folder.toRealPath().resolve(LOCK));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Return how to connect to the server that another process runs in {@code folder}, if any. */
  static Optional<RunningServer> running(Path folder) {
    if (holder(folder).isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = folder.toRealPath();
      String password = Files.readString(path.resolve(OWNER_PASSWORD)).strip();
      return PostmasterFile.of(path.resolve(CLUSTER))
          .flatMap(PostmasterFile::port)
          .map(port -> LocalPostgres.runningServer(port, password));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static PostgresException unusable(Path folder, IOException failure) {
    return new PostgresException(
        "data folder %s cannot be used: %s; make it writable for you, or choose another with --data"
            .formatted(folder, FileErrorText.of(failure)),
        failure);
  }

  /** Create a folder that is deleted when its server ends, in memory if there is space. */
  static DataFolder temporary() {
    if (hasSpace(MEMORY_FOLDER, MIN_FREE_BYTES)) {
      return temporary(MEMORY_FOLDER, "a test");
    }
    return temporary(Path.of(System.getProperty("java.io.tmpdir")), "a test");
  }

  static DataFolder temporary(Path parent, String holder) {
    try {
      Path path = Files.createTempDirectory(parent, "carillon-postgres-").toRealPath();
      return new DataFolder(path, FolderLock.acquire(path.resolve(LOCK), holder), true);
    } catch (IOException e) {
      throw unusable(parent, e);
    }
  }

  static boolean hasSpace(Path folder, long bytes) {
    try {
      return Files.isWritable(folder) && Files.getFileStore(folder).getUsableSpace() >= bytes;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path create(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().resolveSibling(""));
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }
    return folder.toRealPath();
  }

  private static void restrictToOwner(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, OWNER_ONLY);
    } catch (IOException notOurs) {
      // a volume of another user; each secret in it has its own permissions
    }
  }

  private static boolean isOursOrEmpty(Path folder) throws IOException {
    if (Files.exists(folder.resolve(LOCK))) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.allMatch(file -> file.endsWith("lost+found"));
    }
  }

  Path path() {
    return path;
  }

  /** Return the folder itself and its direct contents. */
  List<Path> contents() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return Stream.concat(Stream.of(path), files).toList();
    }
  }

  Path cluster() {
    return path.resolve(CLUSTER);
  }

  Path log() {
    return path.resolve("postgres.log");
  }

  Path password() {
    return path.resolve(PASSWORD);
  }

  Path ownerPassword() {
    return path.resolve(OWNER_PASSWORD);
  }

  boolean isTemporary() {
    return temporary;
  }

  void announce(String address) {
    lock.announce(address);
  }

  /** Release the lock, and delete a temporary folder if its server has not. Safe to call twice. */
  void release() {
    lock.release();
    if (temporary) {
      try {
        FileTrees.delete(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
