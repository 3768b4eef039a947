package dev.carillon.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The account that PostgreSQL runs under, since it refuses to run as root.
 *
 * <p>An ordinary user runs it under their own account. Root runs it in a user namespace, in which
 * root appears as an unprivileged user and still owns its files; or, where the system forbids
 * namespaces, as most containers do, under another account, which then owns the data folder.
 */
final class PostgresAccount {
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
    int owner = ownerOf(folder.path());
    return owner == 0 ? forRoot() : switchTo(Stream.of(Integer.toString(owner)));
  }

  static boolean isRoot() {
    return Command.of("id", "-u").run().firstLine().equals("0");
  }

  private static PostgresAccount forRoot() {
    var namespace = new PostgresAccount(List.of("unshare", "-U"), null);
    return namespace.isUnprivileged() ? namespace : switchTo(CANDIDATES.stream());
  }

  private static PostgresAccount switchTo(Stream<String> users) {
    return users
        .flatMap(PostgresAccount::waysToSwitchTo)
        .filter(PostgresAccount::isUnprivileged)
        .findFirst()
        .orElseThrow(
            () ->
                new PostgresException(
                    "PostgreSQL refuses to run as root, and this system allows neither a user namespace nor a change of user; start Carillon as an ordinary user, or use a PostgreSQL of yours with --database-url"));
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

  /** Make this account the owner of {@code paths}, without the contents of folders. */
  void chown(List<Path> paths) {
    if (owner == null) {
      return;
    }
    var command = new ArrayList<>(List.of("chown", owner));
    paths.forEach(path -> command.add(path.toString()));
    var result = new Command(command).run();
    if (!result.succeeded()) {
      throw new PostgresException(
          "data folder cannot be given to user %s, who must run PostgreSQL here: %s; start Carillon as an ordinary user"
              .formatted(owner, result.errorLine()));
    }
  }

  /** Fail unless this account can execute the programs and write to {@code folder}. */
  void check(Binaries binaries, Path folder) {
    if (owner == null) {
      return;
    }
    for (List<String> test :
        List.of(
            List.of("test", "-x", binaries.program("postgres")),
            List.of("test", "-w", folder.toString()))) {
      if (!new Command(runAs(test)).run().succeeded()) {
        throw new PostgresException(
            "PostgreSQL must run as user %s here, who cannot reach %s; choose a data folder outside of root's home with --data, or start Carillon as an ordinary user"
                .formatted(owner, test.get(2)));
      }
    }
  }
}
