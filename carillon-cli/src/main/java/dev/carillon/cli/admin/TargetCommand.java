package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Card;
import dev.carillon.cli.console.Group;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Commands;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon target …}. */
@Command(
    name = "target",
    description = "Define what schedules can run.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon target put send-report --url https://reports.example/run",
      "  carillon target test send-report",
      "  carillon target list"
    })
public final class TargetCommand implements Group {
  static final String WHICH = "Which one; 'carillon target list' shows them.";

  private static final Sheet TARGETS =
      new Sheet()
          .text("LABEL", "/label")
          .word("TYPE", "/type")
          .text("URL", "/url")
          .number("MAX CONCURRENT", "/maxConcurrent")
          .when("CHANGED", "/updatedAt");
  private static final Set<String> SHOWN_OTHERWISE =
      Set.of("label", "type", "warnings", "updatedAt", "updatedBy", "secrets");

  @Override
  public List<Object> commands() {
    return List.of("list", "get", TargetPutCommand.class, TargetTestCommand.class, "delete");
  }

  @Command(
      name = "list",
      description = "List what schedules can run.",
      footer = {"", "Example:", "  carillon target list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("targets"), TARGETS);
  }

  @Command(
      name = "get",
      description = "Show a target, but for its secrets and the values of its headers.",
      footer = {"", "Example:", "  carillon target get send-report"})
  void get(
      @Mixin Session session, @Parameters(paramLabel = "LABEL", description = WHICH) String label) {
    JsonNode target = session.ask(Call.get("targets", label));
    session.print(target, output -> show(target, output));
  }

  @Command(
      name = "delete",
      description = "Delete a target that no schedule uses.",
      footer = {"", "Example:", "  carillon target delete send-report"})
  void delete(
      @Mixin Session session,
      @Parameters(paramLabel = "LABEL", description = WHICH) String label,
      @Mixin Confirmation confirmation) {
    confirmation.ask(session, "Delete target " + label);
    JsonNode answer = session.ask(Call.delete("targets", label));
    session.print(answer, output -> output.line("target " + label + " is deleted"));
  }

  private static void show(JsonNode target, Output output) {
    output.line(
        "%s  %s"
            .formatted(
                output.paint(Style.STRONG, Plain.line(Json.text(target, "/label"))),
                Plain.line(Json.text(target, "/type"))));
    output.line("");
    var card = new Card();
    for (Map.Entry<String, JsonNode> field : target.properties()) {
      if (!SHOWN_OTHERWISE.contains(field.getKey()) && !HumanText.isNothing(field.getValue())) {
        card.add(HumanText.label(field.getKey()), HumanText.value(field.getValue()));
      }
    }
    card.add("signed", signed(target.path("secrets")));
    Json.instant(target, "/updatedAt")
        .ifPresent(
            at ->
                card.add(
                    "changed",
                    output.ages().of(at) + " by " + Plain.line(Json.text(target, "/updatedBy"))));
    for (JsonNode warning : target.path("warnings")) {
      card.add("warning", Plain.line(Commands.instead(Json.text(warning, "/message"))));
    }
    card.print(output);
  }

  private static String signed(JsonNode secrets) {
    return switch (secrets.asInt(-1)) {
      case -1 -> "";
      case 0 -> "no";
      case 1 -> "yes";
      default -> "with %s secrets".formatted(secrets.asInt());
    };
  }
}
