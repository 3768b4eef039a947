package dev.carillon.server;

import dev.carillon.json.Json;
import dev.carillon.server.signin.ServerProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files in the data folder by which programs on this machine find the server and sign in:
 * {@code server.json} while it runs, and {@code admin-token} for good, for its user's eyes only.
 *
 * @param folder the data folder
 * @param announcement the text of {@code server.json}
 * @param proof shows those who can read the folder that this is the server
 */
record ServerFiles(Path folder, String announcement, ServerProof proof) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerFiles.class);

  private static final String ANNOUNCEMENT = "server.json";
  private static final String ADMIN_TOKEN = "admin-token";
  private static final Set<PosixFilePermission> ONLY_OWNER =
      PosixFilePermissions.fromString("rwx------");

  /** Say in the data folder of {@code settings} that a server answers at {@code url}. */
  static ServerFiles post(ServerSettings settings, String url) {
    ServerProof proof = ServerProof.generate(url);
    String announcement =
        Json.write(
                Map.of("url", url, "pid", ProcessHandle.current().pid(), "secret", proof.secret()))
            + "\n";
    var files = new ServerFiles(settings.data(), announcement, proof);
    files.write(ANNOUNCEMENT, announcement);
    return files;
  }

  Path adminToken() {
    return folder.resolve(ADMIN_TOKEN);
  }

  /** Keep the admin token; tell whether that was possible. */
  boolean keep(String token) {
    return write(ADMIN_TOKEN, token + "\n");
  }

  /* A folder that cannot be written to, as in a container, is no reason not to run. Temporary files
   * are for their owner's eyes only, and others may write the same file at the same time. */
  private boolean write(String name, String text) {
    try {
      prepareFolder();
      Path whole = Files.createTempFile(folder, name, ".new");
      try {
        Files.writeString(whole, text);
        Files.move(whole, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(whole);
      }
      return true;
    } catch (IOException e) {
      LOG.warn("cannot write {}: {}", folder.resolve(name), OneLineMessage.of(e));
      return false;
    }
  }

  private void prepareFolder() throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (!posix || Files.isDirectory(folder)) {
      Files.createDirectories(folder);
    } else {
      Files.createDirectories(folder.toAbsolutePath().resolveSibling(""));
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ONLY_OWNER));
    }
    if (posix && isOurs()) {
      closeToOthers();
    }
  }

  /* A folder that holds more than this server's files stays as it is. */
  private boolean isOurs() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).allMatch(ServerFiles::isOurs);
    }
  }

  private static boolean isOurs(String name) {
    return name.startsWith(ANNOUNCEMENT) || name.startsWith(ADMIN_TOKEN);
  }

  private void closeToOthers() {
    try {
      Files.setPosixFilePermissions(folder, ONLY_OWNER);
    } catch (IOException notOurs) {
      // a volume of another user; each secret in it has its own permissions
    }
  }

  /** Take the announcement away, unless another server has put up its own. */
  @Override
  public void close() throws IOException {
    Path file = folder.resolve(ANNOUNCEMENT);
    if (Files.exists(file) && Files.readString(file).equals(announcement)) {
      Files.deleteIfExists(file);
    }
  }
}
