package dev.carillon.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The account that PostgreSQL runs under, since it refuses to run as root.
 *
 * <p>An ordinary user runs it under their own account. Root runs it under an unprivileged account,
 * which owns the files of PostgreSQL and none beside them. Where no account can be changed to, root
 * runs it in a user namespace: without root's privileges, but with access to root's own files.
 */
final class PostgresAccount {
  static final String AS_ROOT_WITHOUT_PRIVILEGES =
      "warning: PostgreSQL runs as root without root's privileges, because this system allows no change of user; start Carillon as an ordinary user";
  private static final List<String> CANDIDATES = List.of("carillon", "postgres", "nobody");

  private final List<String> prefix;
  private final @Nullable String owner;

  private PostgresAccount(List<String> prefix, @Nullable String owner) {
    this.prefix = prefix;
    this.owner = owner;
  }

  /** Choose the account for {@code folder}; a folder that another user owns stays theirs. */
  static PostgresAccount choose(DataFolder folder) {
    if (!isRoot()) {
      return new PostgresAccount(List.of(), null);
    }
    int user = ownerOf(folder.path());
    if (user == 0 && Files.exists(folder.cluster())) {
      user = ownerOf(folder.cluster());
    }
    Stream<String> users = user == 0 ? CANDIDATES.stream() : Stream.of(Integer.toString(user));
    List<PostgresAccount> accounts =
        users
            .flatMap(PostgresAccount::waysToSwitchTo)
            .filter(PostgresAccount::isUnprivileged)
            .toList();
    return accounts.stream()
        .flatMap(account -> account.reaching(folder.path()).stream())
        .findFirst()
        .or(() -> accounts.stream().findFirst()) // whose check says what it cannot reach
        .orElseGet(PostgresAccount::inUserNamespace);
  }

  static boolean isRoot() {
    return Command.of("id", "-u").run().firstLine().equals("0");
  }

  private static PostgresAccount inUserNamespace() {
    var namespace = new PostgresAccount(List.of("unshare", "-U"), null);
    if (!namespace.isUnprivileged()) {
      throw new PostgresException(
          "PostgreSQL refuses to run as root, and this system allows neither a change of user nor a user namespace; start Carillon as an ordinary user, or use a PostgreSQL of yours with --database-url");
    }
    return namespace;
  }

  /** Return the commands with which root can run another as {@code user}, a name or number. */
  static Stream<PostgresAccount> waysToSwitchTo(String user) {
    var name = Command.of("id", "-nu", user).run();
    if (!name.succeeded()) {
      return Stream.empty();
    }
    String gid = Command.of("id", "-g", user).run().firstLine();
    return Stream.of(
            List.of("setpriv", "--reuid=" + name.firstLine(), "--regid=" + gid, "--clear-groups"),
            List.of("runuser", "-u", name.firstLine(), "--"),
            List.of("su", "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--", name.firstLine()))
        .map(prefix -> new PostgresAccount(prefix, name.firstLine()));
  }

  private boolean isUnprivileged() {
    var result = new Command(runAs(List.of("id", "-u"))).run();
    return result.succeeded() && !result.firstLine().equals("0");
  }

  /* This account, or, if a folder above is closed to it, this account in a view of the file system
   * in which it is not. */
  private Optional<PostgresAccount> reaching(Path folder) {
    if (reaches(folder)) {
      return Optional.of(this);
    }
    return closedAbove(folder)
        .map(closed -> new PostgresAccount(OpenedFolder.prefix(closed, folder, prefix), owner))
        .filter(opened -> opened.reaches(folder));
  }

  private boolean reaches(Path folder) {
    return mayEnter(folder.resolveSibling(""));
  }

  private Optional<Path> closedAbove(Path folder) {
    return Stream.iterate(folder.getParent(), above -> above != null, Path::getParent)
        .filter(above -> above.getParent() != null && !mayEnter(above))
        .reduce((inner, outer) -> outer);
  }

  private boolean mayEnter(Path folder) {
    return new Command(runAs(List.of("test", "-x", folder.toString()))).run().succeeded();
  }

  private static int ownerOf(Path folder) {
    try {
      return (Integer) Files.getAttribute(folder, "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> runAs(List<String> command) {
    return Stream.concat(prefix.stream(), command.stream()).toList();
  }

  /** Return what the user should know about this account. */
  Optional<String> warning() {
    return owner == null && !prefix.isEmpty()
        ? Optional.of(AS_ROOT_WITHOUT_PRIVILEGES)
        : Optional.empty();
  }

  /**
   * Let this account into {@code folder}, and give it the files of PostgreSQL there. All others,
   * such as tokens, stay with the user who starts Carillon, unless the folder is another user's.
   */
  void take(DataFolder folder) throws IOException {
    if (owner == null) {
      return;
    }
    if (folder.isTemporary() || isForeign(folder)) {
      give(folder.contents());
    } else {
      run("chgrp", Command.of("id", "-g", owner).run().firstLine(), folder.path());
      run("chmod", "710", folder.path());
    }
    if (Files.exists(folder.cluster())
        && !Files.getOwner(folder.cluster()).getName().equals(owner)) {
      run("chown", "-R", owner, folder.cluster());
    }
  }

  /** Tell whether {@code folder} is not of the user who starts Carillon. */
  boolean isForeign(DataFolder folder) {
    return owner != null && ownerOf(folder.path()) != 0;
  }

  /** Make this account the owner of {@code paths}, without the contents of folders. */
  void give(List<Path> paths) {
    if (owner == null) {
      return;
    }
    var arguments = new ArrayList<Object>(List.of("chown", owner));
    arguments.addAll(paths);
    run(arguments.toArray());
  }

  private void run(Object... arguments) {
    var result = new Command(Stream.of(arguments).map(Object::toString).toList()).run();
    if (!result.succeeded()) {
      throw new PostgresException(
          "data folder cannot be given to user %s, who must run PostgreSQL here: %s; start Carillon as an ordinary user"
              .formatted(owner, result.errorLine()));
    }
  }

  /** Fail unless this account can execute the programs and enter {@code folder}. */
  void check(Binaries binaries, Path folder) {
    if (owner == null) {
      return;
    }
    for (List<String> test :
        List.of(
            List.of("test", "-x", binaries.program("postgres")),
            List.of("test", "-x", folder.toString()))) {
      if (!new Command(runAs(test)).run().succeeded()) {
        throw new PostgresException(
            "PostgreSQL must run as user %s here, who cannot reach %s; choose a data folder outside of root's home with --data, or start Carillon as an ordinary user"
                .formatted(owner, test.get(2)));
      }
    }
  }
}
