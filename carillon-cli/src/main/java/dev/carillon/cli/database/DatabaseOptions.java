package dev.carillon.cli.database;

import java.util.HashMap;
import java.util.Map;
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

  /** Return what was given, by the names of settings. */
  Map<String, String> given() {
    var flags = new HashMap<String, String>();
    if (databaseUrl != null) {
      flags.put("database-url", databaseUrl);
    }
    if (data != null) {
      flags.put("data", data);
    }
    return flags;
  }
}
