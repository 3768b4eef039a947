package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Moment;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.InZone;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run start}. */
@Command(
    name = "start",
    description = "Run a target once, without a schedule.",
    footer = {
      "",
      "Examples:",
      "  carillon run start log --payload '{\"hello\":\"world\"}'",
      "  carillon run start send-report --in 15m --correlation order-17"
    })
final class StartCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private InZone clock;

  @Parameters(paramLabel = "TARGET", description = "Label of the target.")
  private String target = "";

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "What it is given: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Option(names = "--at", paramLabel = "TIME", description = "Not before this moment.")
  private @Nullable String at;

  @Option(names = "--in", paramLabel = "DURATION", description = "So long from now, such as 15m.")
  private @Nullable String in;

  @Option(
      names = "--correlation",
      paramLabel = "TEXT",
      description = "What it belongs to; runs that have not started can be canceled by it.")
  private @Nullable String correlation;

  @Option(
      names = "--overlap-key",
      paramLabel = "TEXT",
      description = "Never run beside another run with the same.")
  private @Nullable String overlapKey;

  @Override
  public void run() {
    var given = clock.given(session);
    ObjectNode body = Json.object().put("target", target);
    given.addPayload(body, payload);
    Json.put(body, "at", given.moment("--at", at, Moment.Edge.FIRST));
    Json.put(body, "in", given.duration("--in", in));
    Json.put(body, "correlation", correlation);
    Json.put(body, "overlapKey", overlapKey);
    JsonNode run = session.ask(Call.post("runs").sending(body));
    session.noteWarnings(run);
    session.print(
        run,
        output ->
            output.line(
                "run %s is %s, due %s"
                    .formatted(
                        Json.text(run, "/id"),
                        output.word(Json.text(run, "/state")),
                        output.when(run, "/dueAt"))));
  }
}
