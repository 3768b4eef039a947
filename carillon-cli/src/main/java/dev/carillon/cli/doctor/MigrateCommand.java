package dev.carillon.cli.doctor;

import dev.carillon.Version;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.database.DirectDatabase;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.store.schema.MigrationResult;
import dev.carillon.store.schema.Migrator;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
public final class MigrateCommand implements Runnable {
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "The PostgreSQL; as postgresql://user:password@host/database, or for JDBC. Without, the"
              + " embedded one is started for it.")
  private @Nullable String databaseUrl;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Folder of the embedded PostgreSQL (default: ./carillon-data).")
  private @Nullable String data;

  @Option(names = "--dry-run", description = "Only say what would be applied.")
  private boolean dryRun;

  @Override
  public void run() {
    var flags = new HashMap<String, String>();
    if (databaseUrl != null) {
      flags.put("database-url", databaseUrl);
    }
    if (data != null) {
      flags.put("data", data);
    }
    PrintWriter out = spec.commandLine().getOut();
    DirectDatabase.named(
            flags, Environment.ofThisProcess().environment(), "carillon migrate", out::println)
        .use(this::migrate);
    out.flush();
  }

  private void migrate(DataSource connections, DatabaseUrl address) {
    var migrator = new Migrator(connections, Version.current());
    if (dryRun) {
      tell(migrator.missing(RESPONSE_TIMEOUT), address);
    } else {
      tell(migrator.migrate(), address);
    }
  }

  private void tell(List<String> missing, DatabaseUrl address) {
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

  private void tell(MigrationResult migrationResult, DatabaseUrl address) {
    PrintWriter out = spec.commandLine().getOut();
    migrationResult.notes().forEach(out::println);
    if (migrationResult.applied().isEmpty()) {
      out.println("the schema of %s is up to date, at %s".formatted(address, migrationResult.to()));
      return;
    }
    migrationResult.applied().forEach(name -> out.println("applied " + name));
    out.println(
        "the schema of %s went from %s to %s in %s ms"
            .formatted(
                address,
                migrationResult.from(),
                migrationResult.to(),
                migrationResult.took().toMillis()));
  }
}
