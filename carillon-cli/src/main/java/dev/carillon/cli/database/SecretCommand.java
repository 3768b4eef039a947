package dev.carillon.cli.database;

import dev.carillon.bench.Figures;
import dev.carillon.bench.Progress;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.TerminalWriter;
import dev.carillon.server.SecretKeys;
import dev.carillon.server.secret.CipherKey;
import dev.carillon.server.secret.KeyRing;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The commands {@code carillon secret …}. */
@Command(
    name = "secret",
    description = "Keep the keys that the secrets of targets are encrypted with.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon secret new-key",
      "  carillon secret status",
      "  carillon secret rotate --secret-key-file secret-keys"
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class SecretCommand implements CommandGroup {
  @Spec private CommandSpec spec;

  @Override
  public List<Object> commands() {
    return List.of("newKey", "status", "rotate");
  }

  @Command(
      name = "new-key",
      description = {
        "Make a key and print it as a line for the file of secret-key-file.",
        "",
        "To change the key: add the line to the file of every server behind the one that is there and",
        "start the servers again, so that all can read it. Then put it first everywhere, start them",
        "again, and run 'carillon secret rotate'. The old line can go when status names it no more."
      },
      footer = {
        "",
        "Example:",
        "  (umask 077; carillon secret new-key > /etc/carillon/secret-keys)"
      })
  void newKey() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(CipherKey.generate().line());
    out.flush();
  }

  @Command(
      name = "status",
      description = "Tell how many targets each key encrypts, and which keys are missing here.",
      optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
      footer = {
        "",
        "Examples:",
        "  carillon secret status",
        "  carillon secret status --secret-key-file secret-keys --database-url postgresql://db/carillon",
        "",
        "Exit codes: 0 every key is known, 1 one is not or it failed, 2 an option is wrong, 7 the",
        "database does not answer."
      })
  int status(@Mixin DatabaseOptions options, @Mixin SecretKeyOption keyOption) {
    return with(
        options,
        keyOption,
        "carillon secret status",
        keys -> {
          PrintWriter out = spec.commandLine().getOut();
          Optional<String> current = keys.ring().current().map(CipherKey::id);
          Map<String, Long> counts = keys.counts();
          counts.forEach((id, targets) -> out.println(line(keys.ring(), current, id, targets)));
          current
              .filter(id -> !counts.containsKey(id))
              .ifPresent(id -> out.println(line(keys.ring(), current, id, 0)));
          out.flush();
          return counts.keySet().stream()
                  .allMatch(id -> id.isEmpty() || keys.ring().find(id).isPresent())
              ? 0
              : Exit.FAILED;
        });
  }

  private static String line(KeyRing ring, Optional<String> current, String id, long targets) {
    String said = CountText.of(targets, "target", "targets");
    if (id.isEmpty()) {
      return "no key: %s in the clear or without settings".formatted(said);
    }
    String note =
        current.filter(id::equals).isPresent()
            ? "current"
            : ring.find(id).isPresent() ? "known" : "NOT KNOWN HERE: they cannot be read";
    return "key %s: %s (%s)".formatted(id, said, note);
  }

  @Command(
      name = "rotate",
      description = {
        "Encrypt the secrets of all targets with the first key.",
        "",
        "Servers go on working meanwhile, if they know that key. Safe to repeat: what is done is",
        "done, and what another changes meanwhile is waited for."
      },
      optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
      footer = {
        "",
        "Examples:",
        "  carillon secret rotate",
        "      The embedded database of ./carillon-data, with the keys in ./carillon-data/secret-keys.",
        "  carillon secret rotate --secret-key-file secret-keys --database-url postgresql://db/carillon",
        "",
        "Exit codes: 0 done, 1 failed or some are encrypted with a key that is not known here, 2 an",
        "option is wrong, 7 the database does not answer."
      })
  int rotate(@Mixin DatabaseOptions options, @Mixin SecretKeyOption keyOption) {
    return with(
        options,
        keyOption,
        "carillon secret rotate",
        keys -> {
          var progress =
              new Progress(
                  spec.commandLine().getErr(),
                  Environment.ofThisProcess().terminal().isErr(),
                  TerminalWriter.ERASE_LINE);
          SecretKeys.Rotation done =
              keys.rotate(
                  count ->
                      progress.quietly(0, "encrypted %s targets".formatted(Figures.whole(count))));
          progress.clear();
          PrintWriter out = spec.commandLine().getOut();
          out.println(
              "encrypted %s with key %s"
                  .formatted(
                      CountText.of(done.sealed(), "target", "targets"),
                      keys.ring().current().orElseThrow().id()));
          out.flush();
          if (done.unreadable() > 0) {
            throw new CommandFailure(
                Exit.FAILED,
                "%s left as before: no key is known here that reads them; 'carillon secret status' names their keys"
                    .formatted(CountText.of(done.unreadable(), "target is", "targets are")));
          }
          return 0;
        });
  }

  private interface Work {
    int on(SecretKeys keys);
  }

  private static int with(
      DatabaseOptions options, SecretKeyOption keyOption, String command, Work work) {
    var code = new int[1];
    DirectDatabase database = options.database(command, line -> {}, keyOption.flags());
    database.use(
        (connections, address) -> {
          KeyRing ring = SecretKeys.of(database.settings());
          code[0] = work.on(new SecretKeys(ring, connections));
        });
    return code[0];
  }
}
