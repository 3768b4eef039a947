package dev.carillon.cli.database;

import dev.carillon.Version;
import dev.carillon.bench.Figures;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.server.SecretKeys;
import dev.carillon.server.secret.KeyRing;
import dev.carillon.store.backup.Backup;
import dev.carillon.store.backup.BackupManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code carillon backup}. */
@Command(
    name = "backup",
    description = {
      "Copy everything Carillon keeps into one file.",
      "",
      "Schedules with all versions, runs with their history, dead letters, audit, targets, tokens",
      "and workflows, as they are at one moment. Servers go on working meanwhile. 'carillon restore'",
      "fills an empty database from it, the embedded one or one of yours, of any supported version",
      "of PostgreSQL."
    },
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    footer = {
      "",
      "Examples:",
      "  carillon backup carillon.backup",
      "      The embedded database of ./carillon-data, beside its server or without one.",
      "  carillon backup \"/backups/carillon-$(date +%%F).backup\" --database-url"
          + " postgresql://carillon@db.example/carillon",
      "",
      "The file holds the secrets of targets, encrypted, and the hashes of tokens; only you can read",
      "it, and it should stay so. The keys are not in the file: keep a copy of secret-keys in the data",
      "folder, or of the file of secret-key-file, elsewhere; the secrets cannot be read without them.",
      "Nor is the admin token, which is in the data folder.",
      "Exit codes: 0 done, 1 failed, 2 an option is wrong, 5 the file exists, 7 the database does not",
      "answer."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class BackupCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to write.")
  private Path file;

  @Mixin private DatabaseOptions options;

  @Option(names = "--force", description = "Replace a file of that name.")
  private boolean force;

  @Override
  public void run() {
    var environment = Environment.ofThisProcess();
    PrintWriter err = spec.commandLine().getErr();
    NewFile.check(file, force);
    options
        .database("carillon backup", err::println)
        .use(
            (connections, address) -> {
              BackupManifest manifest =
                  write(connections, new CopyMeter(err, environment, "copying"));
              if (manifest.tables().stream().anyMatch(table -> table.name().equals("secret_key"))) {
                noteKeys(new SecretKeys(KeyRing.EMPTY, connections).counts().keySet());
              }
            });
  }

  private void noteKeys(Set<String> ids) {
    List<String> named = ids.stream().filter(id -> !id.isEmpty()).toList();
    if (!named.isEmpty()) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "the secrets of targets in it are encrypted with key %s, which is not in the file; keep a copy of it elsewhere"
              .formatted(String.join(", ", named)));
      out.flush();
    }
  }

  private BackupManifest write(DataSource connections, CopyMeter meter) {
    try (var target = NewFile.beside(file, force)) {
      BackupManifest manifest =
          new Backup(connections, Version.current()).write(target.stream(), meter);
      long bytes = target.keep();
      String took = meter.end();
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "backed up %s rows of %s to %s (%.1f MB) in %s%n",
          Figures.whole(manifest.rows()),
          CountText.of(manifest.tables().size(), "table", "tables"),
          file,
          bytes / 1e6,
          took);
      out.flush();
      return manifest;
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailure(
          Exit.FAILED, "%s cannot be written: %s".formatted(file, FileErrorText.of(e)));
    } finally {
      meter.end();
    }
  }
}
