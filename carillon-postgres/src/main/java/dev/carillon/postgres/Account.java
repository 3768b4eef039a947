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
    return choose(owner == 0 ? null : Integer.toString(owner));
  }

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static Account choose(@Nullable String owner) {
    if (owner == null) {
      List<String> namespace = List.of("unshare", "-U");
      if (leavesRoot(namespace)) {
        return new Account(namespace, null);
      }
    }
    Stream<String> names = owner == null ? NAMES.stream() : Stream.of(owner);
    return names
        .flatMap(Account::waysToBecome)
        .filter(account -> leavesRoot(account.prefix))
        .findFirst()
        .orElseThrow(
            () ->
                new PostgresException(
                    "PostgreSQL refuses to run as root, and this system allows neither a user namespace nor a change of user; start Carillon as an ordinary user, or use a PostgreSQL of yours with --database-url"));
  }

  private static Stream<Account> waysToBecome(String user) {
    String uid = Command.of("id", "-u", user).run().firstLine();
    String gid = Command.of("id", "-g", user).run().firstLine();
    String owner = uid + ":" + gid;
    return Stream.of(
            List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups"),
            List.of("runuser", "-u", user, "--"),
            List.of("su", "-s", "/bin/sh", user, "-c", "exec \"$0\" \"$@\"", "--"))
        .map(prefix -> new Account(prefix, owner));
  }

  private static boolean leavesRoot(List<String> prefix) {
    var command = new ArrayList<>(prefix);
    command.addAll(List.of("id", "-u"));
    var answer = Command.of(command).run();
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

  /** Hand {@code path} over to this account. */
  void own(Path path) {
    if (owner == null) {
      return;
    }
    var answer = Command.of("chown", "-R", owner, path.toString()).run();
    if (!answer.succeeded()) {
      throw new PostgresException(
          "%s cannot be given to the user that runs PostgreSQL: %s; start Carillon as an ordinary user"
              .formatted(path, answer.complaint()));
    }
  }
}
