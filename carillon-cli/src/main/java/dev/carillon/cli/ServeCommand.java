package dev.carillon.cli;

import java.util.HashMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon serve}: what it accepts; {@link Serving} does the work. */
@Command(
    name = "serve",
    description = {"Run the scheduler and its HTTP interface until stopped."},
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    modelTransformer = ServeOptions.class,
    footer = {
      "",
      "The account may also be given as CARILLON_DATABASE_USER and CARILLON_DATABASE_PASSWORD, and",
      "the token of an administrator as CARILLON_ADMIN_TOKEN, which other users of the machine",
      "cannot see, unlike what is on a command line.",
      "",
      "GET /healthz tells whether the process lives, GET /readyz whether it can do its work.",
      "Ctrl-C or SIGTERM stops HTTP, then the connections, then PostgreSQL; the exit code is then",
      "130 or 143. It is 1 if the server cannot start, and 2 if an option is wrong."
    })
final class ServeCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    var flags = new HashMap<String, String>();
    spec.commandLine()
        .getParseResult()
        .matchedOptions()
        .forEach(option -> flags.put(option.longestName().substring(2), option.getValue()));
    var console = spec.commandLine();
    new Serving(console.getOut(), console.getErr()).serve(flags, System.getenv());
  }
}
