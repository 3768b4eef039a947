package dev.carillon.resilience.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of this machine; PostgreSQL's refuse the superuser, so they run as its account. */
public final class Commands {
  private static final String ACCOUNT = "postgres";
  private static final boolean SUPERUSER = "root".equals(System.getProperty("user.name"));

  private Commands() {}

  /** Say whether this process may mount file systems. */
  public static boolean isSuperuser() {
    return SUPERUSER;
  }

  /** Run a program that must end well within two minutes, and return what it printed. */
  public static String run(String... command) {
    return run(List.of(command), true);
  }

  /** Run a program of PostgreSQL as {@link #run} does. */
  static String runAsPostgres(List<String> command) {
    var line = new ArrayList<String>();
    if (SUPERUSER) {
      line.addAll(List.of("runuser", "-u", ACCOUNT, "--"));
    }
    line.addAll(command);
    return run(line, true);
  }

  /** Send {@code signal}, such as {@code STOP}, to a process that may be gone. */
  public static void signal(String signal, long pid) {
    run(List.of("kill", "-" + signal, String.valueOf(pid)), false);
  }

  private static String run(List<String> command, boolean mustSucceed) {
    try {
      /* A file, not a pipe: a server started by the program would hold the pipe open. */
      Path output = Files.createTempFile("carillon-command", ".log");
      try {
        Process process =
            new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (mustSucceed && (!ended || process.exitValue() != 0)) {
          throw new IllegalStateException("%s failed: %s".formatted(command, text));
        }
        return text;
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Make a new folder that PostgreSQL may write to. */
  public static Path folder(String prefix) {
    try {
      Path folder = Files.createTempDirectory(prefix);
      giveToPostgres(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Mount a disk of {@code size}, such as {@code 64m}, on a new folder that PostgreSQL may use. */
  public static void mountSmallDisk(Path folder, String size) throws IOException {
    Files.createDirectory(folder);
    run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
    giveToPostgres(folder);
  }

  /** Let PostgreSQL write to {@code folder}. */
  static void giveToPostgres(Path folder) throws IOException {
    if (SUPERUSER) {
      var accounts = folder.getFileSystem().getUserPrincipalLookupService();
      Files.setOwner(folder, accounts.lookupPrincipalByName(ACCOUNT));
    }
  }

  /** Delete a folder with all that is in it. */
  public static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
