package dev.carillon.cli.database;

import dev.carillon.Version;
import dev.carillon.cli.console.AgeText;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.schema.MigrationStep;
import dev.carillon.store.schema.Migrator;
import dev.carillon.store.schema.MissingMigrations;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.OptionalInt;
import javax.sql.DataSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code carillon migrate}. */
@Command(
    name = "migrate",
    description = {
      "Bring the schema of a database up to date, without starting a server.",
      "",
      "'carillon serve' does the same at its start, so this is for those who want to see it done",
      "before, or with another account. Any number may run at the same time."
    },
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    footer = {
      "",
      "Examples:",
      "  carillon migrate --database-url postgresql://owner@db.example/carillon",
      "  carillon migrate --dry-run",
      "",
      "The account may also be given as CARILLON_DATABASE_USER and CARILLON_DATABASE_PASSWORD.",
      "Exit codes: 0 up to date, 1 failed or the schema is too new for this version, 2 an option"
          + " is",
      "wrong, 6 with --dry-run: something is missing, 7 the database does not answer."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class MigrateCommand implements Runnable {
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Mixin private DatabaseOptions options;

  @Option(names = "--dry-run", description = "Only say what would be applied.")
  private boolean dryRun;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, json or yaml (default: ${DEFAULT-VALUE}).")
  private Output.Format format = Output.Format.TABLE;

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    PrintWriter progress = format == Output.Format.TABLE ? command.getOut() : command.getErr();
    options.database("carillon migrate", progress::println).use(this::migrate);
    command.getOut().flush();
  }

  private void migrate(DataSource connections, DatabaseUrl address) {
    var migrator = new Migrator(connections, Version.current());
    if (dryRun) {
      report(migrator.missing(RESPONSE_TIMEOUT), address);
      return;
    }
    var applied = new ArrayList<MigrationStep>();
    try {
      report(MigrateReport.of(migrator.migrate(applied::add), address.toString()));
    } catch (StoreException e) {
      if (!applied.isEmpty()) { // and stays
        report(MigrateReport.of(applied, address.toString()));
      }
      throw e;
    }
  }

  private void report(MissingMigrations missing, DatabaseUrl address) {
    report(MigrateReport.of(missing, address.toString()));
    if (!missing.names().isEmpty()) {
      throw new CommandFailure(
          Exit.CHANGES,
          "the schema of %s needs %s"
              .formatted(address, CountText.of(missing.names().size(), "migration", "migrations")));
    }
  }

  private void report(MigrateReport report) {
    report.print(output());
  }

  private Output output() {
    CommandLine command = spec.commandLine();
    return new Output(
        command.getOut(),
        format,
        new Palette(command.getColorScheme().ansi().enabled()),
        OptionalInt.empty(),
        new AgeText(Instant.EPOCH, true));
  }
}
