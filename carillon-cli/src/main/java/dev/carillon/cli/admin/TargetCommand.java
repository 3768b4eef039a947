package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.DetailView;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.CommandHints;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
public final class TargetCommand implements CommandGroup {
  private static final String WHICH = "Which one; 'carillon target list' shows them.";

  private static final TableLayout TARGETS =
      new TableLayout()
          .text("LABEL", "/label")
          .word("TYPE", "/type")
          .text("URL", "/url")
          .number("MAX CONCURRENT", "/maxConcurrent")
          .when("CHANGED", "/updatedAt");
  private static final Set<String> SHOWN_OTHERWISE =
      Set.of("label", "type", "warnings", "updatedAt", "updatedBy", "secrets");

  @Override
  public List<Object> commands() {
    return List.of("list", "get", TargetPutCommand.class, "test", "delete");
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
      name = "test",
      description = {
        "Send a target one message that is no run, and show what came of it.",
        "",
        "The message is sent from the server and signed as runs are; its type is schedule.test."
      },
      footer = {
        "",
        "Examples:",
        "  carillon target test send-report",
        "  carillon target test send-report --payload '{\"to\":\"ops\"}'",
        "",
        "Exit codes: 0 a run would succeed or be accepted, or nothing can be sent to such a target;",
        "1 a run would fail."
      })
  int test(
      @Mixin Session session,
      @Parameters(paramLabel = "LABEL", description = WHICH) String label,
      @Option(
              names = "--payload",
              paramLabel = "JSON",
              description = "What the message holds: JSON, @FILE, or - for stdin.")
          @Nullable String payload) {
    ObjectNode body = Json.object();
    new OptionValues(session.environment()).addPayload(body, payload);
    JsonNode test = session.ask(Call.post("targets", label, "test").sending(body));
    session.print(test, output -> showTest(test, label, output));
    return Json.text(test, "/result").equals("failed") ? Exit.FAILED : 0;
  }

  private static void showTest(JsonNode test, String label, Output output) {
    String result = Json.text(test, "/result");
    output.line(
        "%s: %s, %s"
            .formatted(
                TerminalText.line(label),
                result.equals("not_tested") ? "not tested" : output.word(result),
                CommandHints.line(test, "/detail")));
    var detailView = new DetailView().add("status", Json.text(test, "/status"));
    if (test.path("latencyMs").isNumber()) {
      detailView.add("took", test.path("latencyMs").asLong() + "ms");
    }
    String code = Json.text(test, "/failure/code");
    if (!code.isEmpty()) {
      detailView.add(
          "failure",
          TerminalText.line(
              code + ": " + CommandHints.instead(Json.text(test, "/failure/message"))));
      detailView.add(
          "answer", Json.text(test, "/failure/details").lines().map(TerminalText::line).toList());
    }
    detailView.print(output);
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
                output.paint(Style.STRONG, TerminalText.line(Json.text(target, "/label"))),
                TerminalText.line(Json.text(target, "/type"))));
    output.line("");
    var detailView = new DetailView();
    for (Map.Entry<String, JsonNode> field : target.properties()) {
      if (!SHOWN_OTHERWISE.contains(field.getKey()) && !HumanText.isNothing(field.getValue())) {
        detailView.add(HumanText.label(field.getKey()), HumanText.value(field.getValue()));
      }
    }
    detailView.add("signed", signed(target.path("secrets")));
    detailView.add("changed", output.stamp(target, "/updatedAt", "/updatedBy"));
    for (JsonNode warning : target.path("warnings")) {
      detailView.add("warning", CommandHints.line(warning, "/message"));
    }
    detailView.print(output);
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
