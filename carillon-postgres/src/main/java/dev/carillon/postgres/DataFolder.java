package dev.carillon.postgres;

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

/** The folder that everything of one server lives in, held by one process at a time. */
final class DataFolder {
  private static final String LOCK = "carillon.lock";
  private static final String CLUSTER = "postgres";
  private static final String PASSWORD = "postgres.password";
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM_FOR_TESTS = 2L << 30; // containers often have 64 MB of it
  private static final Set<PosixFilePermission> ONLY_OWNER =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final FolderLock lock;
  private final boolean temporary;

  private DataFolder(Path path, FolderLock lock, boolean temporary) {
    this.path = path;
    this.lock = lock;
    this.temporary = temporary;
  }

  /** Take hold of {@code folder}, creating it if need be, or fail saying who holds it. */
  static DataFolder hold(Path folder, String holder) {
    try {
      Path path = create(folder);
      if (!ours(path)) {
        throw new PostgresException(
            "folder %s holds files that are not Carillon's; choose an empty or new one with --data"
                .formatted(folder));
      }
      FolderLock lock = FolderLock.take(path.resolve(LOCK), holder);
      closeToOthers(path);
      return new DataFolder(path, lock, false);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /** Say who holds {@code folder}; empty if nobody does, or if it cannot be told. */
  static Optional<String> holder(Path folder) {
    try {
      return FolderLock.holder(folder.toRealPath().resolve(LOCK));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Where a server in a folder listens, and what it wants to hear. */
  record Access(int port, String password) {}

  /** Return the access to the server that another process runs in {@code folder}, if any. */
  static Optional<Access> running(Path folder) {
    if (holder(folder).isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = folder.toRealPath();
      String password = Files.readString(path.resolve(PASSWORD)).strip();
      return Postmaster.of(path.resolve(CLUSTER))
          .flatMap(Postmaster::port)
          .map(port -> new Access(port, password));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static PostgresException unusable(Path folder, IOException failure) {
    return new PostgresException(
        "data folder %s cannot be used: %s; make it writable for you, or choose another with --data"
            .formatted(folder, Reason.of(failure)),
        failure);
  }

  /** Make a folder for a test that is deleted when its server ends, in memory if there is room. */
  static DataFolder temporary() {
    if (hasRoom(MEMORY, ROOM_FOR_TESTS)) {
      return temporary(MEMORY, "a test");
    }
    return temporary(Path.of(System.getProperty("java.io.tmpdir")), "a test");
  }

  /** Make a folder inside {@code parent} that is deleted when its server ends. */
  static DataFolder temporary(Path parent, String holder) {
    try {
      Path path = Files.createTempDirectory(parent, "carillon-postgres-").toRealPath();
      return new DataFolder(path, FolderLock.take(path.resolve(LOCK), holder), true);
    } catch (IOException e) {
      throw unusable(parent, e);
    }
  }

  /** Say whether {@code folder} can be written to and takes {@code bytes}. */
  static boolean hasRoom(Path folder, long bytes) {
    try {
      return Files.isWritable(folder) && Files.getFileStore(folder).getUsableSpace() >= bytes;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path create(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().resolveSibling(""));
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ONLY_OWNER));
    }
    return folder.toRealPath();
  }

  private static void closeToOthers(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, ONLY_OWNER);
    } catch (IOException notOurs) {
      // a volume that belongs to somebody else; each secret in it has its own permissions
    }
  }

  private static boolean ours(Path folder) throws IOException {
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

  /** List what lies directly in the folder, and the folder itself. */
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

  boolean isTemporary() {
    return temporary;
  }

  void announce(String address) {
    lock.announce(address);
  }

  /** Let go, and delete a temporary folder if its server has not. Safe to call twice. */
  void release() {
    lock.release();
    if (temporary) {
      try {
        Folders.delete(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
