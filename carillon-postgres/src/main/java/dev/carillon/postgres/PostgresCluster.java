package dev.carillon.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A PostgreSQL database cluster on disk, with what is needed to run a server on it. */
record PostgresCluster(
    DataFolder folder, Binaries binaries, PostgresAccount account, ServerProfile profile) {
  static final String SUPERUSER = "carillon";
  private static final String UNFINISHED = "postgres.unfinished-";

  /** Create the cluster unless it exists, and return its password. */
  String open(Consumer<String> progress) {
    try {
      account.warning().ifPresent(progress);
      account.take(folder);
      account.check(binaries, folder.path());
      if (Files.exists(folder.cluster())) {
        checkVersion();
      } else {
        progress.accept("creating the database");
        create();
      }
      Optional<String> password = SecretFile.read(folder.password());
      return password.isPresent() ? password.get() : resetPassword();
    } catch (IOException e) {
      throw DataFolder.unusable(folder.path(), e);
    }
  }

  /** Write a new password for the owner of the database and return it. */
  String replaceOwnerPassword() {
    try {
      return replace(folder.ownerPassword());
    } catch (IOException e) {
      throw DataFolder.unusable(folder.path(), e);
    }
  }

  private String replace(Path file) throws IOException {
    String password = SecretFile.replace(file);
    if (account.isForeign(folder)) {
      account.give(List.of(file));
    }
    return password;
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
    account.give(List.of(unfinished));
    String password = replace(folder.password());
    Path copy = Files.createTempFile(folder.path(), UNFINISHED, ".password");
    try {
      Files.writeString(copy, password);
      account.give(List.of(copy));
      initialize(unfinished, copy);
    } finally {
      Files.delete(copy);
    }
    Files.move(unfinished, folder.cluster(), StandardCopyOption.ATOMIC_MOVE);
    FileTrees.sync(folder.path());
  }

  private void initialize(Path target, Path passwordFile) {
    var command = new ArrayList<String>();
    command.add(binaries.program("initdb"));
    command.addAll(List.of("--pgdata", target.toString()));
    command.addAll(List.of("--username", SUPERUSER, "--pwfile", passwordFile.toString()));
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

  /** Replace a lost password; write access to the cluster's files is enough. */
  private String resetPassword() throws IOException {
    String password = replace(folder.password());
    var command =
        List.of(
            binaries.program("postgres"),
            "--single",
            "-D",
            folder.cluster().toString(),
            "postgres");
    var result =
        new Command(account.runAs(command))
            .run("alter role %s password '%s'\n".formatted(SUPERUSER, password));
    if (!result.succeeded()) {
      throw new PostgresException(
          "the lost password of data folder %s could not be replaced: %s"
              .formatted(folder.path(), result.errorLine()));
    }
    return password;
  }

  /** Return the same cluster, whose server listens on {@code port}. */
  PostgresCluster onPort(int port) {
    return new PostgresCluster(folder, binaries, account, profile.with(List.of("port=" + port)));
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
