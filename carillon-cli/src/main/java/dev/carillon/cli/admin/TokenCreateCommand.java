package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon token create}. */
@Command(
    name = "create",
    description = {
      "Make a token and print it, this once: it cannot be shown again.",
      "",
      "viewer reads; operator also pauses, resumes, runs, cancels and retries; editor also defines",
      "schedules; admin also manages tokens and targets."
    },
    footer = {
      "",
      "Examples:",
      "  carillon token create dashboard",
      "  carillon token create ci --role editor --expires 90d > token.txt"
    })
final class TokenCreateCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "NAME", description = "Who it is for; the audit shows it.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "viewer",
      description = "viewer, operator, editor or admin (default: ${DEFAULT-VALUE}).")
  private List<String> roles = List.of("viewer");

  @Option(
      names = "--expires",
      paramLabel = "DURATION",
      description = "How long it is good for, such as 90d; without, until it is revoked.")
  private @Nullable String expires;

  @Override
  public void run() {
    ObjectNode body = Json.object().put("name", name);
    roles.forEach(body.putArray("roles")::add);
    if (expires != null) {
      body.put("expiresIn", new Given(session.surroundings()).duration("--expires", expires));
    }
    JsonNode token = session.ask(Call.post("tokens").sending(body));
    session.print(
        token,
        output -> {
          output.line(Json.text(token, "/token"));
          session.note(
              "token %s for %s; keep it now, it cannot be shown again"
                  .formatted(Json.text(token, "/id"), name));
        });
  }
}
