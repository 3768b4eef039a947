package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** A PostgreSQL database cluster on disk, with what is needed to run a server on it. */
record PostgresCluster(
    DataFolder folder, Binaries binaries, PostgresAccount account, ServerProfile profile) {
  static final String USER = "carillon";
  private static final String UNFINISHED = "postgres.unfinished-";

  /** Create the cluster unless it exists, and return its password. */
  String open(Consumer<String> progress) {
    try {
      account.chown(folder.contents());
      account.check(binaries, folder.path());
      if (Files.exists(folder.cluster())) {
        checkVersion();
      } else {
        progress.accept("creating the database");
        create();
      }
      String password = readPassword();
      return password.isEmpty() ? resetPassword() : password;
    } catch (IOException e) {
      throw DataFolder.unusable(folder.path(), e);
    }
  }

  private void checkVersion() throws IOException {
    String found = Files.readString(folder.cluster().resolve("PG_VERSION")).strip();
    if (!found.equals(binaries.major())) {
      throw new PostgresException(
          "data folder %s was written by PostgreSQL %s, and this Carillon brings PostgreSQL %s; start the Carillon that wrote it, or choose another folder with --data"
              .formatted(folder.path(), found, binaries.major()));
    }
  }

  /** Create it under a temporary name first, so that an incomplete one is never used. */
  private void create() throws IOException {
    try (var leftovers = Files.newDirectoryStream(folder.path(), UNFINISHED + "*")) {
      for (Path leftover : leftovers) {
        FileTrees.delete(leftover);
      }
    }
    Path unfinished = Files.createTempDirectory(folder.path(), UNFINISHED);
    account.chown(List.of(unfinished));
    writePassword();
    initialize(unfinished);
    Files.move(unfinished, folder.cluster(), StandardCopyOption.ATOMIC_MOVE);
    FileTrees.sync(folder.path());
  }

  private void initialize(Path target) {
    var command = new ArrayList<String>();
    command.add(binaries.program("initdb"));
    command.addAll(List.of("--pgdata", target.toString()));
    command.addAll(List.of("--username", USER, "--pwfile", folder.password().toString()));
    command.addAll(List.of("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"));
    command.addAll(List.of("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
    command.addAll(profile.initdbOptions());
    var result = new Command(account.runAs(command)).run();
    if (!result.succeeded()) {
      throw new PostgresException(
          "PostgreSQL could not create its database in %s: %s; mend that, or choose another folder with --data"
              .formatted(folder.path(), result.errorLine()));
    }
  }

  private String readPassword() throws IOException {
    return Files.exists(folder.password()) ? Files.readString(folder.password()).strip() : "";
  }

  private String writePassword() throws IOException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Path file = folder.password();
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, password + "\n", StandardOpenOption.SYNC, StandardOpenOption.WRITE);
    account.chown(List.of(file));
    return password;
  }

  /** Replace a lost password; write access to the cluster's files is enough. */
  private String resetPassword() throws IOException {
    String password = writePassword();
    var command =
        List.of(
            binaries.program("postgres"),
            "--single",
            "-D",
            folder.cluster().toString(),
            "postgres");
    var result =
        new Command(account.runAs(command))
            .run("alter role %s password '%s'\n".formatted(USER, password));
    if (!result.succeeded()) {
      throw new PostgresException(
          "the lost password of data folder %s could not be replaced: %s"
              .formatted(folder.path(), result.errorLine()));
    }
    return password;
  }

  List<String> serverCommand(int port) {
    var command = new ArrayList<String>();
    command.add(binaries.program("postgres"));
    command.addAll(List.of("-D", folder.cluster().toString()));
    command.addAll(List.of("-c", "port=" + port));
    profile.settings().forEach(setting -> command.addAll(List.of("-c", setting)));
    return command;
  }
}
