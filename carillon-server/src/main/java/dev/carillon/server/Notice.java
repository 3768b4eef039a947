package dev.carillon.server;

import dev.carillon.server.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files in the data folder by which programs on this machine find the server and sign in:
 * {@code server.json} while it runs, and {@code admin-token} for good, for its user's eyes only.
 */
final class Notice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notice.class);

  private final Path folder;
  private final String announcement;

  private Notice(Path folder, String announcement) {
    this.folder = folder;
    this.announcement = announcement;
  }

  /** Say in the data folder of {@code settings} that a server answers at {@code url}. */
  static Notice post(ServerSettings settings, String url) {
    String announcement =
        Json.write(Map.of("url", url, "pid", ProcessHandle.current().pid())) + "\n";
    var notice = new Notice(settings.data(), announcement);
    notice.write("server.json", announcement);
    return notice;
  }

  /** Return where the admin token is kept. */
  Path adminToken() {
    return folder.resolve("admin-token");
  }

  /** Keep the admin token; tell whether that was possible. */
  boolean keep(String token) {
    return write("admin-token", token + "\n");
  }

  /* A folder that cannot be written to, as in a container, is no reason not to run. Temporary files
   * are for their owner's eyes only, and others may write the same file at the same time. */
  private boolean write(String name, String text) {
    try {
      Files.createDirectories(folder);
      Path whole = Files.createTempFile(folder, name, ".new");
      try {
        Files.writeString(whole, text);
        Files.move(whole, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(whole);
      }
      return true;
    } catch (IOException e) {
      LOG.warn("cannot write {}: {}", folder.resolve(name), OneLine.of(e));
      return false;
    }
  }

  /** Take the announcement away, unless another server has put up its own. */
  @Override
  public void close() throws IOException {
    Path file = folder.resolve("server.json");
    if (Files.exists(file) && Files.readString(file).equals(announcement)) {
      Files.deleteIfExists(file);
    }
  }
}
