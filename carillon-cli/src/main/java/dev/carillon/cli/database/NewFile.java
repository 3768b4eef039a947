package dev.carillon.cli.database;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that appears under its name only when it is whole and on disk, and that only its owner can
 * read; until then it lies beside, and is deleted if it is not kept.
 */
final class NewFile implements AutoCloseable {
  private static final int BUFFER_SIZE = 1 << 16;

  private final Path file;
  private final Path partial;
  private final boolean replace;
  private final FileChannel channel;
  private final OutputStream stream;

  private NewFile(Path file, Path partial, boolean replace, FileChannel channel) {
    this.file = file;
    this.partial = partial;
    this.replace = replace;
    this.channel = channel;
    this.stream = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_SIZE);
  }

  /** Refuse a file that exists, unless it is to be replaced. */
  static void check(Path file, boolean replace) {
    if (Files.isDirectory(file)) {
      throw new CommandFailure(Exit.USAGE, file + " is a folder; name a file in it");
    }
    if (!replace && Files.exists(file)) {
      throw new CommandFailure(
          Exit.CONFLICT, file + " exists; name another file, or replace it with --force");
    }
  }

  static NewFile beside(Path file, boolean replace) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path partial =
        Files.createTempFile(
            folder,
            "." + file.getFileName() + "-",
            ".part",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return new NewFile(
        file, partial, replace, FileChannel.open(partial, Set.of(StandardOpenOption.WRITE)));
  }

  OutputStream stream() {
    return stream;
  }

  /** Give the file its name, and return its size. */
  long keep() throws IOException {
    stream.flush();
    channel.force(true);
    channel.close();
    long size = Files.size(partial);
    if (!replace && Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString(), null, "it was made meanwhile");
    }
    try {
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return size;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(partial);
  }
}
