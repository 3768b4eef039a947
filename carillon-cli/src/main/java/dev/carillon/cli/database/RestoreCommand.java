package dev.carillon.cli.database;

import dev.carillon.Version;
import dev.carillon.bench.Figures;
import dev.carillon.cli.console.AgeText;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.server.SecretKeys;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.secret.KeyFile;
import dev.carillon.store.backup.BackupFile;
import dev.carillon.store.backup.BackupFormatException;
import dev.carillon.store.backup.BackupManifest;
import dev.carillon.store.backup.Restore;
import dev.carillon.store.backup.StartForecast;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code carillon restore}. */
@Command(
    name = "restore",
    description = {
      "Fill an empty database from a file that 'carillon backup' wrote.",
      "",
      "All of it is restored, or nothing; a database that is not empty is refused. Nothing runs by",
      "it: in the end it tells what a server will do at its start, which schedules catch up and what",
      "becomes of runs that were on their way."
    },
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    footer = {
      "",
      "Examples:",
      "  carillon restore carillon.backup --data /var/lib/carillon",
      "      Into a new embedded database.",
      "  carillon restore carillon.backup --database-url postgresql://carillon@db.example/carillon",
      "      Into one of yours: outgrow the embedded one with a backup and this.",
      "  carillon restore carillon.backup --check",
      "",
      "The secrets of targets stay encrypted with the keys they had, which are not in the file: this says",
      "which, if they are not in secret-keys of the data folder or named by CARILLON_SECRET_KEY_FILE.",
      "",
      "Stop the servers of the database that the backup is of before you start one on this: both",
      "would fire the same schedules.",
      "Exit codes: 0 done, 1 failed or the database is not empty, 2 an option or the file is wrong,",
      "7 the database does not answer."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class RestoreCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to read.")
  private Path file;

  @Mixin private DatabaseOptions options;

  @Option(
      names = "--check",
      description = "Only read the file, compare it with its checksums, and say what it holds.")
  private boolean check;

  @Override
  public void run() {
    var environment = Environment.ofThisProcess();
    try (var backup = BackupFile.open(file)) {
      if (check) {
        verify(backup, environment);
      } else {
        restore(backup, environment);
      }
    } catch (BackupFormatException e) {
      throw new CommandFailure(
          Exit.USAGE, "%s cannot be restored: %s".formatted(file, e.getMessage()));
    } catch (UncheckedIOException e) {
      throw new CommandFailure(
          Exit.USAGE, "%s cannot be read: %s".formatted(file, FileErrorText.of(e)));
    }
    spec.commandLine().getOut().flush();
  }

  private void verify(BackupFile backup, Environment environment) {
    var meter = new CopyMeter(spec.commandLine().getErr(), environment, "reading");
    try {
      backup.verify(meter);
    } finally {
      meter.end();
    }
    PrintWriter out = spec.commandLine().getOut();
    BackupManifest manifest = backup.manifest();
    out.println(
        "%s is whole: %s, taken at %s from PostgreSQL %s by Carillon %s"
            .formatted(
                file,
                size(manifest),
                manifest.takenAt().truncatedTo(ChronoUnit.SECONDS),
                manifest.postgres(),
                manifest.carillon()));
    manifest.tables().forEach(table -> out.printf("%,12d  %s%n", table.rows(), table.name()));
  }

  private void restore(BackupFile backup, Environment environment) {
    PrintWriter err = spec.commandLine().getErr();
    DirectDatabase database = options.database("carillon restore", err::println);
    database.useOrCreate(
        (connections, address) -> {
          var meter = new CopyMeter(err, environment, "restoring");
          try {
            new Restore(connections, Version.current()).from(backup, meter);
          } finally {
            meter.end();
          }
          report(backup.manifest(), connections, meter.end());
          noteKeys(database.settings(), connections);
        });
  }

  private void report(BackupManifest manifest, DataSource connections, String took) {
    PrintWriter out = spec.commandLine().getOut();
    StartForecast forecast = StartForecast.of(connections);
    out.println(
        "restored %s in %s; the backup is of %s, %s ago"
            .formatted(
                size(manifest),
                took,
                manifest.takenAt().truncatedTo(ChronoUnit.SECONDS),
                AgeText.length(Duration.between(manifest.takenAt(), forecast.at()))));
    new ForecastText(forecast).lines().forEach(out::println);
  }

  private void noteKeys(ServerSettings settings, DataSource connections) {
    var keys = new SecretKeys(SecretKeys.of(settings), connections);
    List<String> lacking =
        keys.counts().keySet().stream()
            .filter(id -> !id.isEmpty() && keys.ring().find(id).isEmpty())
            .toList();
    if (!lacking.isEmpty()) {
      spec.commandLine()
          .getOut()
          .println(
              "the secrets of targets are encrypted with key %s, which is not known here: add its line to %s before a server starts, or their runs fail"
                  .formatted(
                      String.join(", ", lacking),
                      settings.database().isPresent()
                          ? "the file of secret-key-file"
                          : KeyFile.in(settings.data()).path()));
    }
  }

  private static String size(BackupManifest manifest) {
    return "%s rows of %s"
        .formatted(
            Figures.whole(manifest.rows()),
            CountText.of(manifest.tables().size(), "table", "tables"));
  }
}
