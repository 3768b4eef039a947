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
 * <p>An ordinary user runs it as themselves. For root there are two ways: a user namespace, in
 * which root looks like nobody yet still owns its files; or, where the system forbids namespaces,
 * as most containers do, another account, which then owns the data folder.
 */
final class Account {
  private static final List<String> NAMES = List.of("carillon", "postgres", "nobody");

  private final List<String> prefix;
  private final @Nullable String owner;

  private Account(List<String> prefix, @Nullable String owner) {
    this.prefix = prefix;
    this.owner = owner;
  }

  /** Choose the account for {@code folder}; a folder that belongs to somebody stays theirs. */
  static Account choose(DataFolder folder) {
    if (!isRoot()) {
      return new Account(List.of(), null);
    }
    int owner = ownerOf(folder.path());
    return owner == 0 ? forRoot() : become(Stream.of(Integer.toString(owner)));
  }

  static boolean isRoot() {
    return Command.of("id", "-u").run().firstLine().equals("0");
  }

  private static Account forRoot() {
    var namespace = new Account(List.of("unshare", "-U"), null);
    return namespace.leavesRoot() ? namespace : become(NAMES.stream());
  }

  private static Account become(Stream<String> users) {
    return users
        .flatMap(Account::waysToBecome)
        .filter(Account::leavesRoot)
        .findFirst()
        .orElseThrow(
            () ->
                new PostgresException(
                    "PostgreSQL refuses to run as root, and this system allows neither a user namespace nor a change of user; start Carillon as an ordinary user, or use a PostgreSQL of yours with --database-url"));
  }

  /** List the ways in which root can run a command as {@code user}, by name or number. */
  static Stream<Account> waysToBecome(String user) {
    var name = Command.of("id", "-nu", user).run();
    if (!name.succeeded()) {
      return Stream.empty();
    }
    String gid = Command.of("id", "-g", user).run().firstLine();
    return Stream.of(
            List.of("setpriv", "--reuid=" + name.firstLine(), "--regid=" + gid, "--clear-groups"),
            List.of("runuser", "-u", name.firstLine(), "--"),
            List.of("su", "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--", name.firstLine()))
        .map(prefix -> new Account(prefix, name.firstLine()));
  }

  private boolean leavesRoot() {
    var answer = Command.of(running(List.of("id", "-u"))).run();
    return answer.succeeded() && !answer.firstLine().equals("0");
  }

  private static int ownerOf(Path folder) {
    try {
      return (Integer) Files.getAttribute(folder, "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return {@code command} so that this account runs it. */
  List<String> running(List<String> command) {
    return Stream.concat(prefix.stream(), command.stream()).toList();
  }

  /** Hand {@code paths} over to this account; for a folder, not what is in it. */
  void own(List<Path> paths) {
    if (owner == null) {
      return;
    }
    var command = new ArrayList<>(List.of("chown", owner));
    paths.forEach(path -> command.add(path.toString()));
    var answer = Command.of(command).run();
    if (!answer.succeeded()) {
      throw new PostgresException(
          "data folder cannot be given to user %s, who must run PostgreSQL here: %s; start Carillon as an ordinary user"
              .formatted(owner, answer.complaint()));
    }
  }

  /** Fail unless this account can reach the programs and write into {@code folder}. */
  void check(Binaries binaries, Path folder) {
    if (owner == null) {
      return;
    }
    for (List<String> test :
        List.of(
            List.of("test", "-x", binaries.program("postgres")),
            List.of("test", "-w", folder.toString()))) {
      if (!Command.of(running(test)).run().succeeded()) {
        throw new PostgresException(
            "PostgreSQL must run as user %s here, who cannot reach %s; choose a data folder outside of root's home with --data, or start Carillon as an ordinary user"
                .formatted(owner, test.get(2)));
      }
    }
  }
}
