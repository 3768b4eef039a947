package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon dead dismiss}. */
@Command(
    name = "dismiss",
    description =
        "Give dead letters up: they stay failed, with the reason, and are listed no more.",
    footer = {
      "",
      "Examples:",
      "  carillon dead dismiss 01981b2c-5a00-7000-8000-000000000001 --reason \"order withdrawn\"",
      "  carillon dead dismiss --schedule nightly --to 2027-03-01 --reason \"too old\" --yes"
    })
final class DismissCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private WhichDead which;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Shown with the run, and kept in the audit.")
  private String reason = "";

  @Override
  public void run() {
    Given.filled("--reason", reason);
    JsonNode answer =
        which.change(session, "dismiss", "Dismiss", Json.object().put("reason", reason));
    session.print(
        answer,
        output ->
            output.line(
                Count.of(answer.path("dismissed").asLong(), "dead letter is", "dead letters are")
                    + " dismissed"));
  }
}
