package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon quiet-hours create}. */
@Command(
    name = "create",
    description = {
      "Make quiet hours, or change them.",
      "",
      "What -f and the options say is all of it: what they leave out, they have no longer."
    },
    footer = {
      "",
      "Examples:",
      "  carillon quiet-hours create night --zone Europe/Rome --window 22:00-07:00 --action defer",
      "  carillon quiet-hours create off --zone UTC --window \"sat,sun 00:00-24:00\" --action skip"
    })
final class QuietHoursCreateCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "NAME", description = "What schedules call them.")
  private String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The quiet hours as JSON or YAML; - for stdin. The options win.")
  private @Nullable String file;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of the windows, such as Europe/Rome.")
  private @Nullable String zone;

  @Option(
      names = "--window",
      paramLabel = "[DAYS ]SPAN",
      description =
          "What is quiet every week, such as 22:00-07:00 or \"sat,sun 00:00-24:00\"; can be"
              + " repeated.")
  private List<String> windows = List.of();

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description = "What becomes of runs then: skip, defer, or coalesce (one at the end).")
  private @Nullable String action;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      description = "For schedules with this tag; can be repeated.")
  private List<String> tags = List.of();

  @Option(names = "--everything", description = "For all schedules.")
  private boolean everything;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for their versions.")
  private @Nullable String reason;

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    DefinitionFile definition = DefinitionFile.read(session, file);
    ObjectNode body = definition.body();
    Json.put(body, "zone", zone);
    Json.put(body, "action", action);
    if (!windows.isEmpty()) {
      ArrayNode list = body.putArray("windows");
      windows.forEach(window -> add(list.addObject(), window.strip()));
    }
    if (!tags.isEmpty()) {
      ArrayNode list = body.putArray("tags");
      tags.forEach(list::add);
    }
    if (everything) {
      body.put("everything", true);
    }
    if (body.isEmpty()) {
      throw Session.wrong("say what they are: --window and --action, or -f");
    }
    JsonNode answer =
        definition.send(
            session,
            Call.put("quiet-hours", name)
                .sending(body)
                .with("reason", reason)
                .with("dryRun", dryRun ? "true" : null));
    session.print(
        answer,
        output -> {
          if (dryRun) {
            output.line("would be " + Json.text(answer, "/result"));
            CalendarText.printChanges(answer.path("changes"), output);
          } else {
            output.line(
                "quiet hours %s version %s are saved"
                    .formatted(name, Json.text(answer, "/version")));
          }
          RuleChangeText.print(answer, output);
        });
  }

  private static void add(ObjectNode window, String text) {
    int blank = text.indexOf(' ');
    if (blank > 0) {
      window.set(
          "days", WeekdayOptions.json(WeekdayOptions.read("--window", text.substring(0, blank))));
    }
    window.put("hours", text.substring(blank + 1).strip());
  }
}
