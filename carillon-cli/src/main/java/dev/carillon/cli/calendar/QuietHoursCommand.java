package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.DetailView;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Confirmation;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon quiet-hours …}. */
@Command(
    name = "quiet-hours",
    description = "Define hours in which nothing should run.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon quiet-hours create night --zone Europe/Rome --window 22:00-07:00 --action defer",
      "  carillon quiet-hours list"
    })
public final class QuietHoursCommand implements CommandGroup {
  private static final String WHICH = "Which ones; 'carillon quiet-hours list' shows them.";

  private static final TableLayout QUIET_HOURS =
      new TableLayout()
          .text("NAME", "/name")
          .number("VERSION", "/version")
          .text("ACTION", "/action")
          .text("FOR", QuietHoursCommand::whom)
          .when("CHANGED", "/updatedAt")
          .text("BY", "/updatedBy");

  @Override
  public List<Object> commands() {
    return List.of(QuietHoursCreateCommand.class, "list", "show", "delete");
  }

  private static String whom(JsonNode hours) {
    if (hours.path("everything").asBoolean()) {
      return "everything";
    }
    var tags = new ArrayList<String>();
    hours.path("tags").forEach(tag -> tags.add(tag.asText()));
    return tags.isEmpty() ? "schedules that name them" : "tags " + String.join(", ", tags);
  }

  @Command(
      name = "list",
      description = "List quiet hours.",
      footer = {"", "Example:", "  carillon quiet-hours list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("quiet-hours"), QUIET_HOURS);
  }

  @Command(
      name = "show",
      description = "Show quiet hours.",
      footer = {"", "Example:", "  carillon quiet-hours show night"})
  void show(
      @Mixin Session session, @Parameters(paramLabel = "NAME", description = WHICH) String name) {
    JsonNode hours = session.ask(Call.get("quiet-hours", name));
    session.print(hours, output -> show(hours, output));
  }

  static void show(JsonNode hours, Output output) {
    output.line(
        "%s  version %s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(Json.text(hours, "/name"))),
                Json.text(hours, "/version")));
    output.line("");
    var windows = new ArrayList<String>();
    hours
        .path("windows")
        .forEach(
            window ->
                windows.add(
                    TerminalText.line(
                        Json.text(window, "/hours")
                            + (window.path("days").size() == 7
                                ? ""
                                : " on " + HumanText.value(window.path("days"))))));
    var freezes = new ArrayList<String>();
    hours
        .path("freezes")
        .forEach(
            freeze ->
                freezes.add(
                    TerminalText.line(
                        "from %s until %s: %s"
                            .formatted(
                                Json.text(freeze, "/from"),
                                Json.text(freeze, "/until"),
                                Json.text(freeze, "/reason")))));
    new DetailView()
        .add("description", TerminalText.line(Json.text(hours, "/description")))
        .add("zone", TerminalText.line(Json.text(hours, "/zone")))
        .add("windows", windows)
        .add("freezes", freezes)
        .add("action", Json.text(hours, "/action"))
        .add("for", TerminalText.line(whom(hours)))
        .add("reason", TerminalText.line(Json.text(hours, "/reason")))
        .add("changed", output.stamp(hours, "/updatedAt", "/updatedBy"))
        .print(output);
  }

  @Command(
      name = "delete",
      description = "Delete quiet hours that no schedule names.",
      footer = {"", "Example:", "  carillon quiet-hours delete night"})
  void delete(
      @Mixin Session session,
      @Parameters(paramLabel = "NAME", description = WHICH) String name,
      @Option(names = "--dry-run", description = "Only show who uses them.") boolean dryRun,
      @Mixin Confirmation confirmation) {
    if (dryRun) {
      JsonNode answer = session.ask(Call.delete("quiet-hours", name).with("dryRun", true));
      session.print(answer, output -> CalendarText.printDeletion(answer, output));
      return;
    }
    confirmation.ask(session, "Delete quiet hours " + name);
    JsonNode answer = session.ask(Call.delete("quiet-hours", name));
    session.print(answer, output -> output.line("quiet hours " + name + " are deleted"));
  }
}
