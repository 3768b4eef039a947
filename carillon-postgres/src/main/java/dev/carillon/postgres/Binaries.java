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
 * The programs of PostgreSQL, unpacked once per machine and user from the archive on the class
 * path.
 *
 * @param home the folder with {@code bin}, {@code lib} and {@code share}
 * @param version the version, such as {@code 18.4}
 */
record Binaries(Path home, String version) {
  /* A folder gets its final name only when complete, by an atomic rename. Its seal, the size of
   * all its files, catches what a power failure or a cleaner of caches took away later. */
  private static final String SEAL = "carillon.seal";

  private static final String UNFINISHED = ".unpacking-";
  private static final Duration ABANDONED = Duration.ofHours(1);

  /** Find the programs in the cache, unpacking them first if they are not whole. */
  static Binaries unpack(Path data, Consumer<String> progress) {
    return unpack(platform(), caches(data), progress);
  }

  static Binaries unpack(String platform, List<Path> caches, Consumer<String> progress) {
    String release = release();
    String version = release.replaceFirst("\\.0$", "");
    String name = "postgresql-%s-%s".formatted(release, platform);
    IOException failure = new IOException("no folder to unpack into");
    for (Path cache : caches) {
      Path home = cache.resolve(name);
      try {
        if (!whole(home)) {
          progress.accept("unpacking PostgreSQL " + version);
          unpack(archive(platform), cache, home);
        }
        return new Binaries(home, version);
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new PostgresException(
        "PostgreSQL cannot be unpacked into %s: %s; free some space there, or set XDG_CACHE_HOME to a folder you can write"
            .formatted(caches.get(0), Reason.of(failure)),
        failure);
  }

  Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  int major() {
    return Integer.parseInt(version.substring(0, version.indexOf('.')));
  }

  private static String release() {
    var properties = new Properties();
    try (InputStream in = Binaries.class.getResourceAsStream("binaries.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (os.startsWith("mac") ? "darwin" : os.split(" ", 2)[0])
        + "-"
        + switch (processor) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> processor;
        };
  }

  /** Return where to unpack, best first; the data folder is for users without a home. */
  private static List<Path> caches(Path data) {
    var caches = new ArrayList<Path>();
    String chosen = System.getenv("XDG_CACHE_HOME");
    if (chosen != null && !chosen.isBlank()) {
      caches.add(Path.of(chosen, "carillon"));
    }
    if (Account.isRoot()) {
      caches.add(Path.of("/var/cache/carillon")); // the unprivileged account may not enter /root
    }
    caches.add(Path.of(System.getProperty("user.home"), ".cache", "carillon"));
    caches.add(data.resolve("programs"));
    return caches;
  }

  private static InputStream archive(String platform) {
    String name = "/postgres-" + platform + ".txz";
    InputStream archive = Binaries.class.getResourceAsStream(name);
    if (archive == null) {
      throw new PostgresException(
          "this build of Carillon brings no PostgreSQL for %s; build it on this platform, or use a PostgreSQL of yours with --database-url"
              .formatted(platform));
    }
    return archive;
  }

  private static void unpack(InputStream archive, Path cache, Path home) throws IOException {
    try (archive) {
      Files.createDirectories(cache);
      sweep(cache);
      Path unfinished = Files.createTempDirectory(cache, UNFINISHED);
      try {
        extract(archive, unfinished);
        Files.writeString(unfinished.resolve(SEAL), Long.toString(size(unfinished)));
        Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (!whole(home) && Files.exists(home)) {
          Files.move(
              home,
              unfinished.resolveSibling(unfinished.getFileName() + "-broken"),
              StandardCopyOption.ATOMIC_MOVE);
        }
        Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (!whole(home)) { // otherwise another process was faster
          throw e;
        }
      } finally {
        Folders.delete(unfinished);
        Folders.delete(unfinished.resolveSibling(unfinished.getFileName() + "-broken"));
      }
    }
  }

  private static void extract(InputStream archive, Path target) throws IOException {
    try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
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
          boolean runs = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              path, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static boolean whole(Path home) throws IOException {
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

  /** Delete what unpackings that died have left behind. */
  private static void sweep(Path cache) throws IOException {
    try (var leftovers = Files.newDirectoryStream(cache, UNFINISHED + "*")) {
      for (Path leftover : leftovers) {
        Instant since = Files.getLastModifiedTime(leftover).toInstant();
        if (since.isBefore(Instant.now().minus(ABANDONED))) {
          Folders.delete(leftover);
        }
      }
    }
  }
}
