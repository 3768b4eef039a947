package dev.carillon.cli.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code carillon bench}: what it accepts; {@link BenchRun} does the work. */
@Command(
    name = "bench",
    sortOptions = false,
    description = {
      "Measure what Carillon can do on a PostgreSQL, and say what the figures mean.",
      "",
      "It works in databases of its own, named carillon_bench_..., which it creates on the server and",
      "drops at the end, also on Ctrl-C; nothing else is touched. The role needs the right to create",
      "databases. Without --database-url, it brings its own PostgreSQL and deletes it afterwards."
    },
    synopsisHeading = "Usage: ",
    customSynopsis = "carillon bench [drain] [drift] [growth] [OPTIONS]",
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Verdicts:       good from         fair from",
      "  drain         10,000 runs/s     2,000 runs/s",
      "  drift         p99 up to 20 ms   p99 up to 100 ms, and no fire skipped",
      "  growth        90 %% of drain     70 %% of drain, and no worse verdict on drift",
      "",
      "Examples:",
      "  carillon bench --quick",
      "      A first impression of this machine, in a minute or two.",
      "  carillon bench --database-url postgresql://carillon@db.example/carillon",
      "      What a server of yours can do, seen from here. A quiet one gives better figures.",
      "  carillon bench drift --rate 5000 --seconds 60",
      "      How late runs start when 5,000 schedules share every second.",
      "",
      "Exit codes: 0 measured, whatever the verdict; 1 could not measure; 2 an option is wrong;",
      "3 a promise was seen broken: a fire was missing, doubled or early; 130 or 143 stopped."
    })
public final class BenchCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "MEASURE",
      arity = "0..*",
      description = {
        "drain: runs that are due, as fast as it can.",
        "drift: how late runs start when many schedules fire each second.",
        "growth: both again, beside many idle schedules.",
        "Default: all three."
      })
  private List<String> measures = List.of();

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "Measure on the server of this PostgreSQL database, as for serve; also"
              + " CARILLON_DATABASE_URL.")
  private @Nullable String databaseUrl;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description =
          "Where the embedded PostgreSQL makes its throw-away folder, to measure that disk"
              + " (default: /var/tmp).")
  private @Nullable String data;

  @Option(names = "--runs", paramLabel = "N", description = "Runs to drain (default: 100000).")
  private @Nullable Integer runs;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Schedules that fire each second (default: 1000).")
  private @Nullable Integer rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "For how long they fire (default: 20).")
  private @Nullable Integer seconds;

  @Option(
      names = "--idle",
      paramLabel = "N",
      description = "Idle schedules for growth (default: 1000000).")
  private @Nullable Integer idle;

  @Option(
      names = "--quick",
      description = "A first impression: 20000 runs, 5 seconds, 100000 idle, unless said.")
  private boolean quick;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public void run() {
    var places = new HashMap<String, String>();
    put(places, "database-url", databaseUrl);
    put(places, "data", data);
    var sizes = new HashMap<String, Integer>();
    put(sizes, "runs", runs);
    put(sizes, "rate", rate);
    put(sizes, "seconds", seconds);
    put(sizes, "idle", idle);
    var console = spec.commandLine();
    var request = new BenchRequest(measures, places, sizes, quick, json);
    new BenchRun(console.getOut(), console.getErr()).bench(request, System.getenv());
  }

  private static <T> void put(Map<String, T> options, String name, @Nullable T value) {
    if (value != null) {
      options.put(name, value);
    }
  }
}
