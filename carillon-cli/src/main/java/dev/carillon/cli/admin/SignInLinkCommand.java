package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code carillon sign-in-link}. */
@Command(
    name = "sign-in-link",
    description = {
      "Make a link that signs an administrator in, once and within ten minutes.",
      "",
      "Who opens it gets a token for 12 hours. The code is behind the # of the link, which browsers",
      "keep to themselves, so that it is in no log."
    },
    footer = {
      "",
      "Examples:",
      "  carillon sign-in-link",
      "      Beside the data folder of the server.",
      "  carillon sign-in-link --server https://carillon.example"
    })
public final class SignInLinkCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Override
  public void run() {
    JsonNode made = session.ask(Call.post("sign-in-links"));
    String link = session.endpoint().server() + Json.text(made, "/path");
    ObjectNode answer =
        Json.object().put("link", link).put("expiresAt", Json.text(made, "/expiresAt"));
    session.print(answer, output -> output.line(link));
  }
}
