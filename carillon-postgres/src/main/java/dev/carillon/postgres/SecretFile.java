package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** A file with a random password, which only its owner can read. */
final class SecretFile {
  private static final int BYTES = 24;

  private SecretFile() {}

  /** Return what {@code file} holds; empty if that is nothing, or there is no such file. */
  static Optional<String> read(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  /** Write a new password to {@code file} and return it. */
  static String replace(Path file) throws IOException {
    String password = random();
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, password + "\n", StandardOpenOption.SYNC, StandardOpenOption.WRITE);
    return password;
  }

  static String random() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
