package dev.carillon.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A lock on a data folder that ends with its process; its file names the holder. */
final class FolderLock {
  /* On POSIX a process loses its lock on a file as soon as it closes any of its handles on it. So
   * a JVM never opens a lock file twice: it looks up its own locks here. */
  private static final Map<Path, FolderLock> HELD = new HashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final String holder;
  private String description;

  private FolderLock(Path file, FileChannel channel, String holder) throws IOException {
    this.file = file;
    this.channel = channel;
    this.holder =
        "%s, process %s, since %s"
            .formatted(
                holder,
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    this.description = this.holder;
    write();
  }

  /** Lock {@code file}, or fail naming its holder. */
  static FolderLock acquire(Path file, String holder) throws IOException {
    synchronized (HELD) {
      FolderLock ours = HELD.get(file);
      if (ours != null) {
        throw inUse(file, ours.description);
      }
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (channel.tryLock() == null) {
          throw inUse(file, readDescription(file));
        }
        var lock = new FolderLock(file, channel, holder);
        HELD.put(file, lock);
        return lock;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }
  }

  /** Return the process that holds {@code file}; empty if none does. */
  static Optional<String> holder(Path file) throws IOException {
    synchronized (HELD) {
      FolderLock ours = HELD.get(file);
      if (ours != null || !Files.exists(file)) {
        return Optional.ofNullable(ours).map(lock -> lock.description);
      }
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        return lock == null ? Optional.of(readDescription(file)) : Optional.empty();
      }
    }
  }

  private static PostgresException inUse(Path file, String description) {
    return new PostgresException(
        "data folder %s is in use by %s; stop it, or choose another folder with --data"
            .formatted(file.getParent(), description));
  }

  private static String readDescription(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.isEmpty() ? "another process" : String.join(", ", lines);
  }

  /** Add {@code address} to the description that other processes read. */
  void announce(String address) {
    synchronized (HELD) {
      description = holder + ", " + address;
      try {
        write();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void write() throws IOException {
    byte[] text = (description + "\n").getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.wrap(text), 0);
    channel.truncate(text.length);
  }

  void release() {
    synchronized (HELD) {
      if (HELD.remove(file, this)) {
        try {
          channel.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
