package dev.carillon.server;

import dev.carillon.server.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files in the data folder by which programs on this machine find the server and sign in:
 * {@code server.json} while it runs, and {@code admin-token} for good, for its user's eyes only.
 */
final class Notice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notice.class);
  private static final Set<PosixFilePermission> OURS_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path folder;

  private Notice(Path folder) {
    this.folder = folder;
  }

  /** Say in the data folder of {@code settings} that a server answers at {@code url}. */
  static Notice post(ServerSettings settings, String url) {
    var notice = new Notice(settings.data());
    notice.write(
        "server.json", Json.write(Map.of("url", url, "pid", ProcessHandle.current().pid())));
    return notice;
  }

  /** Return where the admin token is kept. */
  Path adminToken() {
    return folder.resolve("admin-token");
  }

  /** Keep the admin token; tell whether that was possible. */
  boolean keep(String token) {
    return write("admin-token", token);
  }

  /* A folder that cannot be written to, as in a container, is no reason not to run. */
  private boolean write(String name, String text) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(file);
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OURS_ONLY));
      }
      Files.writeString(file, text + "\n");
      return true;
    } catch (IOException e) {
      LOG.warn("cannot write {}: {}", file, OneLine.of(e));
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(folder.resolve("server.json"));
  }
}
