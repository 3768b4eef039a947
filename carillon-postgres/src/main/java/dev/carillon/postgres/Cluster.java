package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** The databases on disk that a server serves, with what is needed to serve them. */
record Cluster(DataFolder folder, Binaries binaries, Account account, Purpose purpose) {
  static final String USER = "carillon";

  /** Create the cluster unless it is there, and return the password to it. */
  String create(Consumer<String> progress) {
    try {
      account.own(folder.path());
      Path cluster = folder.cluster();
      if (Files.exists(cluster)) {
        checkVersion();
        return Files.readString(folder.password()).strip();
      }
      progress.accept("creating the database");
      Path unfinished = folder.path().resolve("postgres.unfinished");
      Folders.delete(unfinished);
      String password = writePassword();
      initialize(unfinished);
      Files.move(unfinished, cluster, StandardCopyOption.ATOMIC_MOVE);
      return password;
    } catch (IOException e) {
      throw new PostgresException(
          "data folder %s cannot be used: %s; make it writable for you, or choose another with --data"
              .formatted(folder.path(), Reason.of(e)),
          e);
    }
  }

  private void checkVersion() throws IOException {
    String found = Files.readString(folder.cluster().resolve("PG_VERSION")).strip();
    if (!found.equals(Integer.toString(binaries.major()))) {
      throw new PostgresException(
          "data folder %s was written by PostgreSQL %s, and this Carillon brings PostgreSQL %d; start the Carillon that wrote it, or choose another folder with --data"
              .formatted(folder.path(), found, binaries.major()));
    }
  }

  private String writePassword() throws IOException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    Path file = folder.password();
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, password + "\n");
    account.own(file);
    return password;
  }

  private void initialize(Path target) {
    var command = new ArrayList<String>();
    command.add(binaries.program("initdb").toString());
    command.addAll(List.of("--pgdata", target.toString()));
    command.addAll(List.of("--username", USER, "--pwfile", folder.password().toString()));
    command.addAll(List.of("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions"));
    command.addAll(List.of("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
    command.addAll(purpose.creation());
    var answer = Command.of(account.running(command)).run();
    if (!answer.succeeded()) {
      throw new PostgresException(
          "PostgreSQL could not create its database in %s: %s"
              .formatted(folder.path(), answer.complaint()));
    }
  }

  /** Return the command that serves this cluster on {@code port}. */
  List<String> serve(int port) {
    var command = new ArrayList<String>();
    command.add(binaries.program("postgres").toString());
    command.addAll(List.of("-D", folder.cluster().toString()));
    command.addAll(List.of("-c", "port=" + port));
    purpose.settings().forEach(setting -> command.addAll(List.of("-c", setting)));
    return command;
  }
}
