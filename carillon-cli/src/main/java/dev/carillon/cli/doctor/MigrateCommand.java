package dev.carillon.cli.doctor;

import dev.carillon.cli.console.Surroundings;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code carillon migrate}: what it accepts; {@link Migrating} does the work. */
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
    put(flags, "database-url", databaseUrl);
    put(flags, "data", data);
    PrintWriter out = spec.commandLine().getOut();
    new Migrating(out).migrate(flags, Surroundings.ofThisProcess().environment(), dryRun);
  }

  private static void put(Map<String, String> flags, String name, @Nullable String value) {
    if (value != null) {
      flags.put(name, value);
    }
  }
}
