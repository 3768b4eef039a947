package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon schedule run}. */
@Command(
    name = "run",
    description = "Run a schedule now, under its own rules.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule run nightly",
      "  carillon schedule run nightly --payload '{\"to\":\"ops\"}' --overlap allow"
    })
final class RunCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "KEY", description = "Key of the schedule.")
  private String key = "";

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Instead of the schedule's own: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Option(
      names = "--overlap",
      paramLabel = "RULE",
      description =
          "Instead of the schedule's own: skip, allow, queue, queue_one or cancel_previous.")
  private @Nullable String overlap;

  @Override
  public void run() {
    ObjectNode body = Json.object();
    new Given(session.surroundings())
        .json("--payload", payload)
        .ifPresent(json -> body.set("payload", json));
    if (overlap != null) {
      body.put("overlap", overlap);
    }
    var run = session.ask(Call.post("schedules", key, "run").sending(body));
    session.print(
        run,
        output ->
            output.line(
                "run %s is %s"
                    .formatted(Json.text(run, "/id"), output.word(Json.text(run, "/state")))));
  }
}
