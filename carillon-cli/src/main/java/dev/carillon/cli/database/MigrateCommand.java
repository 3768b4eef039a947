package dev.carillon.cli.database;

import dev.carillon.Version;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Exit;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.store.schema.MigrationResult;
import dev.carillon.store.schema.Migrator;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
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
      "Exit codes: 0 up to date, 1 failed or the schema is too new for this version, 2 an option is",
      "wrong, 6 with --dry-run: something is missing, 7 the database does not answer."
    })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class MigrateCommand implements Runnable {
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Mixin private DatabaseOptions options;

  @Option(names = "--dry-run", description = "Only say what would be applied.")
  private boolean dryRun;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    options.database("carillon migrate", out::println).use(this::migrate);
    out.flush();
  }

  private void migrate(DataSource connections, DatabaseUrl address) {
    var migrator = new Migrator(connections, Version.current());
    if (dryRun) {
      report(migrator.missing(RESPONSE_TIMEOUT), address);
    } else {
      report(migrator.migrate(), address);
    }
  }

  private void report(List<String> missing, DatabaseUrl address) {
    PrintWriter out = spec.commandLine().getOut();
    missing.forEach(name -> out.println("would apply " + name));
    if (!missing.isEmpty()) {
      out.flush();
      throw new CommandFailure(
          Exit.CHANGES,
          "the schema of %s needs %s"
              .formatted(address, CountText.of(missing.size(), "migration", "migrations")));
    }
    out.println("the schema of %s is up to date".formatted(address));
  }

  private void report(MigrationResult result, DatabaseUrl address) {
    PrintWriter out = spec.commandLine().getOut();
    result.notes().forEach(out::println);
    if (result.applied().isEmpty()) {
      out.println("the schema of %s is up to date, at %s".formatted(address, result.to()));
      return;
    }
    result.applied().forEach(name -> out.println("applied " + name));
    out.println(
        "the schema of %s went from %s to %s in %s ms"
            .formatted(address, result.from(), result.to(), result.took().toMillis()));
  }
}
