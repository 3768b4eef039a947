package dev.carillon.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The archive of PostgreSQL's programs on the class path, unpacked once per machine and user.
 *
 * @param platform the platform, such as {@code linux-x86_64}
 * @param release the version of the Maven artifact, such as {@code 18.4.0}
 */
record BinaryArchive(String platform, String release) {
  /* A folder gets its final name by an atomic rename when it is complete. Its seal file holds the
   * total size of its files, to detect files lost by a power failure or a cache cleaner. */
  private static final String SEAL = "carillon.seal";

  private static final String UNFINISHED = ".unpacking-";
  private static final Duration ABANDONED_AFTER = Duration.ofHours(1);

  /** Find the archive for this platform, or fail if the build contains none. */
  static BinaryArchive ofThisPlatform() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static BinaryArchive of(String system, String processor) {
    String platform = platform(system.toLowerCase(Locale.ROOT), processor.toLowerCase(Locale.ROOT));
    var archive = new BinaryArchive(platform, readRelease());
    if (BinaryArchive.class.getResource(archive.resource()) == null) {
      throw new PostgresException(
          "this build of Carillon brings no PostgreSQL for %s; build it on that platform, or use a PostgreSQL of yours with --database-url"
              .formatted(platform));
    }
    return archive;
  }

  /** Return the folders to unpack into, best first; the data folder is for users without a home. */
  static List<Path> caches(Path data) {
    var caches = new ArrayList<Path>();
    String chosen = System.getenv("XDG_CACHE_HOME");
    if (chosen != null && !chosen.isBlank()) {
      caches.add(Path.of(chosen, "carillon"));
    }
    if (PostgresAccount.isRoot()) {
      caches.add(Path.of("/var/cache/carillon")); // PostgreSQL's account may not read /root
    }
    caches.add(Path.of(System.getProperty("user.home"), ".cache", "carillon"));
    caches.add(data.resolve("programs"));
    return caches;
  }

  /** Unpack into the first writable folder of {@code caches}, unless that was done before. */
  Binaries unpack(List<Path> caches, Consumer<String> progress) {
    String version = release.replaceFirst("\\.0$", "");
    var failure = new IOException("there is no folder to unpack into");
    for (Path cache : caches) {
      Path home = cache.resolve("postgresql-%s-%s".formatted(release, platform));
      try {
        if (!isComplete(home)) {
          progress.accept("unpacking PostgreSQL " + version);
          unpack(cache, home);
        }
        return new Binaries(home, version);
      } catch (IOException e) {
        e.addSuppressed(failure);
        failure = e;
      }
    }
    throw new PostgresException(
        "PostgreSQL cannot be unpacked into %s: %s; free some space, or set XDG_CACHE_HOME to a folder you can write"
            .formatted(caches.get(caches.size() - 1), FileErrorText.of(failure)),
        failure);
  }

  private String resource() {
    return "/postgres-" + platform + ".txz";
  }

  private static String readRelease() {
    var properties = new Properties();
    try (InputStream in = BinaryArchive.class.getResourceAsStream("binaries.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static String platform(String system, String processor) {
    String shortSystem = system.startsWith("mac") ? "darwin" : system.split(" ", 2)[0];
    return shortSystem
        + "-"
        + switch (processor) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> processor;
        };
  }

  private void unpack(Path cache, Path home) throws IOException {
    Files.createDirectories(cache);
    deleteAbandoned(cache);
    Path unfinished = Files.createTempDirectory(cache, UNFINISHED);
    Path broken = unfinished.resolveSibling(unfinished.getFileName() + "-broken");
    try {
      extract(unfinished);
      Files.writeString(unfinished.resolve(SEAL), Long.toString(size(unfinished)));
      Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
      if (Files.exists(home) && !isComplete(home)) {
        Files.move(home, broken, StandardCopyOption.ATOMIC_MOVE);
      }
      Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!isComplete(home)) { // otherwise another process was faster
        throw e;
      }
    } finally {
      FileTrees.delete(unfinished);
      FileTrees.delete(broken);
    }
  }

  private void extract(Path target) throws IOException {
    try (InputStream packed = BinaryArchive.class.getResourceAsStream(resource());
        var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("archive entry " + entry.getName() + " lies outside");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
          continue;
        }
        Files.createDirectories(path.resolveSibling(""));
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, path);
          boolean executable = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static boolean isComplete(Path home) throws IOException {
    Path seal = home.resolve(SEAL);
    return Files.isRegularFile(seal) && Files.readString(seal).equals(Long.toString(size(home)));
  }

  private static long size(Path home) throws IOException {
    long[] size = {0};
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!file.endsWith(SEAL)) {
              size[0] += attributes.size();
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return size[0];
  }

  private static void deleteAbandoned(Path cache) throws IOException {
    try (var leftovers = Files.newDirectoryStream(cache, UNFINISHED + "*")) {
      for (Path leftover : leftovers) {
        Instant since = Files.getLastModifiedTime(leftover).toInstant();
        if (since.isBefore(Instant.now().minus(ABANDONED_AFTER))) {
          FileTrees.delete(leftover);
        }
      }
    }
  }
}
