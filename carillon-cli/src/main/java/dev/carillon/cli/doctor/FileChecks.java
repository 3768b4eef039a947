package dev.carillon.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that secrets of a server on this machine can be read by its user alone. */
final class FileChecks {
  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  /* Started by root, PostgreSQL has an account of its own, whose group may pass through. */
  private static final Set<PosixFilePermission> OF_OTHERS_IN_FOLDER =
      PosixFilePermissions.fromString("---rw-rwx");
  private static final List<String> SECRETS =
      List.of(
          "admin-token",
          "secret-keys",
          "server.json",
          "postgres.password",
          "postgres.owner.password");

  private FileChecks() {}

  static List<Finding> run(Path data) {
    if (!Files.isDirectory(data)) {
      return List.of(
          Finding.skip("files", "there is no data folder %s on this machine".formatted(data)));
    }
    var findings = new ArrayList<Finding>();
    for (String secret : SECRETS) {
      Path file = data.resolve(secret);
      if (Files.exists(file)) {
        findings.add(check(file, "600", true));
      }
    }
    findings.add(check(data, "700", false));
    return findings;
  }

  /* An open folder alone gives no secret away: each of them has permissions of its own. */
  private static Finding check(Path file, String mode, boolean secret) {
    try {
      Set<PosixFilePermission> given = Files.getPosixFilePermissions(file);
      if (given.stream().anyMatch((secret ? OF_OTHERS : OF_OTHERS_IN_FOLDER)::contains)) {
        String open =
            "%s is open to other users: %s".formatted(file, PosixFilePermissions.toString(given));
        String cure = "run: chmod %s %s".formatted(mode, file);
        return secret ? Finding.fail("files", open, cure) : Finding.warn("files", open, cure);
      }
      return Files.isReadable(file)
          ? Finding.ok("files", "%s is closed to other users".formatted(file))
          : Finding.warn(
              "files",
              "%s belongs to %s".formatted(file, Files.getOwner(file).getName()),
              "commands find the token by themselves only when run as that user");
    } catch (UnsupportedOperationException e) {
      return Finding.skip("files", "this file system has no permissions");
    } catch (IOException e) {
      return Finding.warn("files", "%s cannot be looked at".formatted(file), "");
    }
  }
}
