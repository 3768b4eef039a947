package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon calendar import}. */
@Command(
    name = "import",
    description = {
      "Add the holidays of a country, or of an iCalendar file, to a calendar.",
      "",
      "They are copied as they are known now, and do not change by themselves later. A calendar that",
      "does not exist is made."
    },
    footer = {
      "",
      "Examples:",
      "  carillon calendar import by --country DE --region BY --year 2027,2028 --zone Europe/Berlin",
      "  carillon calendar import it -f holidays.ics --dry-run"
    })
final class CalendarImportCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "NAME", description = "Which calendar.")
  private String name = "";

  @Option(names = "--country", paramLabel = "CODE", description = "Such as DE.")
  private @Nullable String country;

  @Option(names = "--region", paramLabel = "CODE", description = "Of the country, such as BY.")
  private @Nullable String region;

  @Option(
      names = "--year",
      paramLabel = "YEAR",
      split = ",",
      description = "Of which years; can be repeated.")
  private List<Integer> years = List.of();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "An iCalendar file; - for stdin.")
  private @Nullable String file;

  @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of a new calendar.")
  private @Nullable String zone;

  @Option(
      names = "--replace",
      description = "Remove the holidays that it has in these years first.")
  private boolean replace;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for its versions.")
  private @Nullable String reason;

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    if ((country == null) == (file == null)) {
      throw Session.wrong("say what to import: --country with --year, or -f");
    }
    ObjectNode body = Json.object();
    if (file != null) {
      String from = file.equals("-") ? file : "@" + file;
      body.put("ics", new OptionValues(session.environment()).secret("--file", from));
    } else {
      Json.put(body, "country", country);
      Json.put(body, "region", region);
      ArrayNode list = body.putArray("years");
      years.forEach(list::add);
    }
    JsonNode answer =
        session.ask(
            Call.post("calendars", name, "import")
                .sending(body)
                .with("zone", zone)
                .with("replace", replace ? "true" : null)
                .with("dryRun", dryRun ? "true" : null)
                .with("reason", reason));
    answer.path("notes").forEach(note -> session.note(TerminalText.line(note.asText())));
    session.print(
        answer,
        output -> {
          CalendarText.printChanges(answer.path("changes"), output);
          String until = Json.text(answer, "/coverageUntil");
          output.line(
              "%s holidays %s calendar %s%s"
                  .formatted(
                      Json.text(answer, "/holidays"),
                      dryRun ? "would be imported into" : "are imported into",
                      name,
                      until.isEmpty() ? "" : ", which are known until " + until));
          RuleChangeText.print(answer, output);
        });
  }
}
