package dev.carillon.server.secret;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A file with keys, for its owner's eyes only. An embedded PostgreSQL has one beside it, which is
 * in no backup.
 */
public record KeyFile(Path path) {
  private static final String NAME = "secret-keys";
  private static final long MAX_BYTES = 64 * 1024;
  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  /** Return the file in a data folder. */
  public static KeyFile in(Path folder) {
    return new KeyFile(folder.resolve(NAME));
  }

  /**
   * Read the keys.
   *
   * @throws IllegalArgumentException if they cannot be read
   */
  public KeyRing read() {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new IllegalArgumentException("%s is too large for a file of keys".formatted(path));
      }
      return KeyRing.parse(Files.readString(path));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read %s".formatted(path), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(path, e.getMessage()), e);
    }
  }

  /** Return why others could know the keys; empty if only the owner can read the file. */
  public Optional<String> exposure() {
    try {
      Set<PosixFilePermission> given = Files.getPosixFilePermissions(path);
      return given.stream().anyMatch(OF_OTHERS::contains)
          ? Optional.of(
              "%s is open to other users (%s); run: chmod 600 %s"
                  .formatted(path, PosixFilePermissions.toString(given), path))
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Read the keys, having made one if there is no file yet. */
  public KeyRing readOrCreate() throws IOException {
    if (!Files.exists(path)) {
      create();
    }
    return read();
  }

  /* Temporary files are for their owner's eyes only. Whole or not at all: a half-written key would
   * seal what nobody can open again. Of two that come at once, the first stays. */
  private void create() throws IOException {
    Path folder = path.toAbsolutePath().resolveSibling("");
    Path whole = Files.createTempFile(folder, NAME, ".new");
    try {
      Files.writeString(
          whole,
          """
          # The key of the secrets of targets. Without it they cannot be read, and it is in no backup:
          # keep a copy elsewhere. The first key seals, all of them open.
          %s
          """
              .formatted(CipherKey.generate().line()));
      try (var file = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        file.force(true);
      }
      link(whole);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private void link(Path whole) throws IOException {
    try {
      Files.createLink(path, whole);
    } catch (FileAlreadyExistsException e) {
      // another was first
    } catch (IOException | UnsupportedOperationException noLinksHere) {
      Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
