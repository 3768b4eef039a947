package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon dead redrive}. */
@Command(
    name = "redrive",
    description = {
      "Run dead letters again, also with another payload. Those of one schedule run one after the"
          + " other."
    },
    footer = {
      "",
      "Examples:",
      "  carillon dead redrive 01981b2c-5a00-7000-8000-000000000001 --payload @fixed.json",
      "  carillon dead redrive --schedule nightly --from 2027-03-01 --yes"
    })
final class RedriveCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private WhichDead which;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Instead of their own: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Override
  public void run() {
    ObjectNode body = Json.object();
    new Given(session.surroundings())
        .json("--payload", payload)
        .ifPresent(json -> body.set("payload", json));
    JsonNode answer = which.change(session, "redrive", "Run again", body);
    session.print(
        answer,
        output ->
            output.line(
                Count.of(answer.path("redriven").asLong(), "run is", "runs are")
                    + " pending again"));
  }
}
