package dev.carillon.cli;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code carillon serve}: what it accepts; {@link Serving} does the work. */
@Command(
    name = "serve",
    sortOptions = false,
    description = {"Run the scheduler and its HTTP interface until stopped."},
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    footer = {
      "",
      "The account may also be given as CARILLON_DATABASE_USER and CARILLON_DATABASE_PASSWORD,",
      "which other users of the machine cannot see, unlike a password in a URL on the command line.",
      "",
      "GET /healthz tells whether the process lives, GET /readyz whether it can do its work.",
      "Ctrl-C or SIGTERM stops HTTP, then the connections, then PostgreSQL; the exit code is then",
      "130 or 143. It is 1 if the server cannot start, and 2 if an option is wrong."
    })
final class ServeCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1, this machine only).")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on (default: 8080; 0 takes any free one).")
  private @Nullable String port;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Folder of the embedded PostgreSQL (default: ./carillon-data).")
  private @Nullable String data;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "Use this PostgreSQL instead; as postgresql://user:password@host/database, or for JDBC.")
  private @Nullable String databaseUrl;

  @Override
  public void run() {
    var flags = new HashMap<String, String>();
    put(flags, "host", host);
    put(flags, "port", port);
    put(flags, "data", data);
    put(flags, "database-url", databaseUrl);
    var console = spec.commandLine();
    new Serving(console.getOut(), console.getErr()).serve(flags, System.getenv());
  }

  private static void put(Map<String, String> flags, String name, @Nullable String value) {
    if (value != null) {
      flags.put(name, value);
    }
  }
}
