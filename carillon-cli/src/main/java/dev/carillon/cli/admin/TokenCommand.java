package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon token …}. */
@Command(
    name = "token",
    description = "Give and take the right to use the server.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon token create ci --role editor --expires P90D",
      "  carillon token list"
    })
public final class TokenCommand implements CommandGroup {
  private static final TableLayout TOKENS =
      new TableLayout()
          .word("ID", "/id")
          .text("NAME", "/name")
          .word("ROLES", (token, output) -> roles(token))
          .when("CREATED", "/createdAt")
          .when("EXPIRES", "/expiresAt")
          .when("LAST USED", "/lastUsedAt")
          .when("REVOKED", "/revokedAt")
          .textIfAny("SCOPE", (token, output) -> TokenScope.shown(token));

  @Override
  public List<Object> commands() {
    return List.of("list", "create", "revoke");
  }

  @Command(
      name = "list",
      description = "List tokens; what they are is not kept, only what they may do.",
      footer = {"", "Example:", "  carillon token list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("tokens"), TOKENS);
  }

  private static String roles(JsonNode token) {
    var words = new StringJoiner(",");
    token.path("roles").forEach(role -> words.add(role.asText()));
    return words.toString();
  }

  @Command(
      name = "create",
      description = {
        "Make a token and print it, this once: it cannot be shown again.",
        "",
        "viewer reads; operator also pauses, resumes, runs, cancels and retries; editor also defines",
        "schedules; admin also manages tokens and targets.",
        "",
        "With a scope it reaches only schedules and runs that match each kind of what is given, by",
        "one of the values. An admin cannot have one."
      },
      footer = {
        "",
        "Examples:",
        "  carillon token create dashboard",
        "  carillon token create ci --role editor --expires 90d > token.txt",
        "  carillon token create resizer --role operator --scope-target resize-images"
      })
  void create(
      @Mixin Session session,
      @Parameters(paramLabel = "NAME", description = "Who it is for; the audit shows it.")
          String name,
      @Option(
              names = "--role",
              paramLabel = "ROLE",
              defaultValue = "viewer",
              description = "viewer, operator, editor or admin (default: ${DEFAULT-VALUE}).")
          List<String> roles,
      @Option(
              names = "--expires",
              paramLabel = "DURATION",
              description = "How long it is good for, such as 90d; without, until it is revoked.")
          @Nullable String expires,
      @Mixin TokenScope scope) {
    ObjectNode body = Json.object().put("name", name);
    roles.forEach(body.putArray("roles")::add);
    scope.addTo(body);
    var optionValues = new OptionValues(session.environment());
    Json.put(body, "expiresIn", optionValues.duration("--expires", expires));
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

  @Command(
      name = "revoke",
      description = "Make a token useless, at once.",
      footer = {"", "Example:", "  carillon token revoke 01981b2c-5a00-7000-8000-000000000001"})
  void revoke(
      @Mixin Session session,
      @Parameters(paramLabel = "ID", description = "Which one; 'carillon token list' shows them.")
          String id,
      @Mixin Confirmation confirmation) {
    confirmation.ask(session, "Revoke token " + id);
    JsonNode answer = session.ask(Call.delete("tokens", id));
    session.print(answer, output -> output.line("token " + id + " is revoked"));
  }
}
