package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Session;
import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon calendar create}. */
@Command(
    name = "create",
    description = {
      "Make a calendar, or change it.",
      "",
      "What -f and the options say is all of it: what they leave out, it has no longer."
    },
    footer = {
      "",
      "Examples:",
      "  carillon calendar create it --zone Europe/Rome --hours 09:00-12:00 --hours 13:00-17:00",
      "  carillon calendar create it -f it.yaml --dry-run",
      "  carillon calendar create it-de --combines it --combines de"
    })
final class CalendarCreateCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "NAME", description = "What schedules call it.")
  private String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The calendar as JSON or YAML; - for stdin. The options win.")
  private @Nullable String file;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of its days, such as Europe/Rome.")
  private @Nullable String zone;

  @Option(
      names = "--weekend",
      paramLabel = "DAYS",
      description = "Days that are no business days; sat,sun if not said.")
  private @Nullable String weekend;

  @Option(
      names = "--hours",
      paramLabel = "SPAN",
      description =
          "Working hours of each day that is not of the weekend, such as 09:00-17:00; can be"
              + " repeated.")
  private List<String> hours = List.of();

  @Option(
      names = "--holiday",
      paramLabel = "DATE=NAME",
      description = "A holiday, such as 2026-12-25=Christmas; can be repeated.")
  private Map<String, String> holidays = Map.of();

  @Option(
      names = "--combines",
      paramLabel = "CALENDAR",
      description = "Have the days off of this calendar; can be repeated.")
  private List<String> combines = List.of();

  @Option(
      names = "--coverage-until",
      paramLabel = "DATE",
      description = "The last date for which its holidays are known.")
  private @Nullable String coverageUntil;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for its versions.")
  private @Nullable String reason;

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  @Override
  public void run() {
    DefinitionFile definition = DefinitionFile.read(session, file);
    ObjectNode body = definition.body();
    add(body);
    if (body.isEmpty()) {
      throw Session.wrong("say what it is: --zone, --combines or -f");
    }
    Call call =
        Call.put("calendars", name)
            .sending(body)
            .with("reason", reason)
            .with("dryRun", dryRun ? "true" : null);
    JsonNode answer = definition.send(session, call);
    session.noteWarnings(answer);
    session.print(
        answer,
        output -> {
          if (dryRun) {
            CalendarText.printDryRun(answer, output);
          } else {
            output.line(
                "calendar %s version %s is saved".formatted(name, Json.text(answer, "/version")));
            RuleChangeText.print(answer, output);
          }
        });
  }

  private void add(ObjectNode body) {
    Json.put(body, "zone", zone);
    if (weekend != null) {
      body.set("weekend", WeekdayOptions.json(WeekdayOptions.read("--weekend", weekend)));
    }
    if (!hours.isEmpty()) {
      Set<DayOfWeek> off = off(body.get("weekend"));
      ObjectNode byDay = body.putObject("hours");
      for (DayOfWeek day : DayOfWeek.values()) {
        if (!off.contains(day)) {
          ArrayNode spans = byDay.putArray(WeekdayOptions.name(day));
          hours.forEach(spans::add);
        }
      }
    }
    if (!holidays.isEmpty()) {
      ArrayNode list = body.withArray("holidays");
      holidays.forEach((date, text) -> list.addObject().put("date", date).put("name", text));
    }
    if (!combines.isEmpty()) {
      ArrayNode list = body.putArray("combines");
      combines.forEach(list::add);
    }
    Json.put(body, "coverageUntil", coverageUntil);
  }

  /* That of a file may be no list of weekdays, which the server refuses. */
  private static Set<DayOfWeek> off(@Nullable JsonNode weekend) {
    if (weekend == null || !weekend.isArray()) {
      return EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
    }
    var off = EnumSet.noneOf(DayOfWeek.class);
    for (DayOfWeek day : DayOfWeek.values()) {
      for (JsonNode named : weekend) {
        if (named.asText().equals(WeekdayOptions.name(day))) {
          off.add(day);
        }
      }
    }
    return off;
  }
}
