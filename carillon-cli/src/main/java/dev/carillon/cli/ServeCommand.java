package dev.carillon.cli;

import dev.carillon.cli.console.Terminal;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.Setting;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code carillon serve}: what it accepts; {@link ServerRun} does the work. */
@Command(
    name = "serve",
    modelTransformer = ServeOptions.class,
    description = {"Run the scheduler and its HTTP interface until stopped."},
    optionListHeading = "%nOptions (each is also a variable, such as CARILLON_DATABASE_URL):%n",
    footer = {
      "",
      "CARILLON_DATABASE_PASSWORD, CARILLON_ADMIN_TOKEN, CARILLON_SECRET_KEY and",
      "CARILLON_EXECUTOR_SECRET are no options, because other users of the machine can see the command",
      "line. A file named by --config may set all of them, by their names without dashes in front.",
      "",
      "GET /healthz tells whether the process lives, GET /readyz whether it can do its work.",
      "Ctrl-C or SIGTERM stops HTTP, waits for what runs, then stops PostgreSQL; a second one stops at",
      "once. The exit code is then 130 or 143. It is 1 if the server cannot start, and 2 if an option",
      "is wrong."
    })
final class ServeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    var flags = new HashMap<String, String>();
    for (Setting setting : ServeOptions.flags()) {
      String value = spec.findOption(setting.flag()).getValue();
      if (value != null) {
        flags.put(setting.spelling(), value);
      }
    }
    var console = spec.commandLine();
    Map<String, String> environment = System.getenv();
    boolean json = ServerSettings.logsJson(flags, environment);
    var output = new ServeOutput(console.getOut(), console.getErr(), json);
    boolean onTerminal = !json && Terminal.ofThisProcess(environment).isOut();
    return new ServerRun(output, onTerminal).serve(flags, environment);
  }
}
