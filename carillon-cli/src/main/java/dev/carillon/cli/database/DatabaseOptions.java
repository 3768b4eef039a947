package dev.carillon.cli.database;

import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Exit;
import dev.carillon.server.ServerSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which database a command works on. */
final class DatabaseOptions {
  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "The PostgreSQL; as postgresql://user:password@host/database, or for JDBC. Without, the"
              + " embedded one.")
  private @Nullable String databaseUrl;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Folder of the embedded PostgreSQL (default: ./carillon-data).")
  private @Nullable String data;

  /**
   * Return the database that the options and the variables of this process name.
   *
   * @param command what locks the data folder meanwhile, such as {@code carillon migrate}
   * @param progress receives a line before each step that takes time
   */
  DirectDatabase database(String command, Consumer<String> progress) {
    return database(command, progress, Map.of());
  }

  /** Return the database, with {@code more} settings by their names without dashes in front. */
  DirectDatabase database(String command, Consumer<String> progress, Map<String, String> more) {
    var flags = new HashMap<>(more);
    if (databaseUrl != null) {
      flags.put("database-url", databaseUrl);
    }
    if (data != null) {
      flags.put("data", data);
    }
    try {
      return new DirectDatabase(ServerSettings.from(flags, System.getenv()), command, progress);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(Exit.USAGE, e);
    }
  }
}
