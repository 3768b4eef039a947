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
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon calendar …}. */
@Command(
    name = "calendar",
    description = "Define business days and working hours.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon calendar import it --country IT --year 2027 --zone Europe/Rome",
      "  carillon calendar days it --from 2027-04-01 --to 2027-05-01",
      "  carillon calendar who-uses it"
    })
public final class CalendarCommand implements CommandGroup {
  private static final String WHICH = "Which one; 'carillon calendar list' shows them.";

  private static final TableLayout CALENDARS =
      new TableLayout()
          .text("NAME", "/name")
          .number("VERSION", "/version")
          .text("ZONE", "/zone")
          .number("HOLIDAYS", "/holidays")
          .text("KNOWN UNTIL", "/coverageUntil")
          .when("CHANGED", "/updatedAt")
          .text("BY", "/updatedBy");
  private static final TableLayout DAYS =
      new TableLayout()
          .text("DATE", "/date")
          .text("KIND", "/kind")
          .text("NAME", "/name")
          .text("BECAUSE", "/because");
  private static final Set<String> SHOWN_OTHERWISE =
      Set.of("name", "version", "warnings", "updatedAt", "updatedBy", "hours", "reason");
  private static final Set<String> LISTS =
      Set.of("holidays", "recurringHolidays", "extraWorkingDays", "halfDays");

  @Override
  public List<Object> commands() {
    return List.of(
        CalendarCreateCommand.class,
        CalendarImportCommand.class,
        "list",
        "show",
        "days",
        "diff",
        "whoUses",
        "export",
        "delete");
  }

  @Command(
      name = "list",
      description = "List calendars.",
      footer = {"", "Example:", "  carillon calendar list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("calendars"), CALENDARS);
  }

  @Command(
      name = "show",
      description = "Show a calendar.",
      footer = {
        "",
        "Examples:",
        "  carillon calendar show it",
        "  carillon calendar show it -o json > it.json"
      })
  void show(
      @Mixin Session session, @Parameters(paramLabel = "NAME", description = WHICH) String name) {
    JsonNode calendar = session.ask(Call.get("calendars", name));
    session.noteWarnings(calendar);
    session.print(calendar, output -> show(calendar, output));
  }

  private static void show(JsonNode calendar, Output output) {
    output.line(
        "%s  version %s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(Json.text(calendar, "/name"))),
                Json.text(calendar, "/version")));
    output.line("");
    var details = new DetailView();
    for (Map.Entry<String, JsonNode> field : calendar.properties()) {
      if (LISTS.contains(field.getKey())) {
        details.add(HumanText.label(field.getKey()), days(field.getValue()));
      } else if (!SHOWN_OTHERWISE.contains(field.getKey())
          && !HumanText.isNothing(field.getValue())) {
        details.add(HumanText.label(field.getKey()), HumanText.value(field.getValue()));
      }
    }
    for (Map.Entry<String, JsonNode> day : calendar.path("hours").properties()) {
      details.add(day.getKey(), HumanText.value(day.getValue()));
    }
    details.add("reason", TerminalText.line(Json.text(calendar, "/reason")));
    details.add("changed", output.stamp(calendar, "/updatedAt", "/updatedBy"));
    details.print(output);
  }

  private static List<String> days(JsonNode days) {
    var lines = new ArrayList<String>();
    for (JsonNode day : days) {
      String closes = Json.text(day, "/closes");
      lines.add(
          TerminalText.line(
              "%s%s %s%s"
                  .formatted(
                      Json.text(day, "/date"),
                      Json.text(day, "/day"),
                      Json.text(day, "/name"),
                      closes.isEmpty() ? "" : " until " + closes)));
    }
    return lines;
  }

  @Command(
      name = "days",
      description = "Show what each day of a period is, and why.",
      footer = {
        "",
        "Examples:",
        "  carillon calendar days it",
        "  carillon calendar days it --from 2027-04-01 --to 2027-05-01"
      })
  void days(
      @Mixin Session session,
      @Parameters(paramLabel = "NAME", description = WHICH) String name,
      @Option(
              names = "--from",
              paramLabel = "DATE",
              description = "The first date; today if not said.")
          @Nullable String from,
      @Option(
              names = "--to",
              paramLabel = "DATE",
              description = "The first date after it; a year later if not said.")
          @Nullable String to,
      @Option(names = "--off", description = "Only days that are no business days.") boolean off) {
    JsonNode answer =
        session.ask(Call.get("calendars", name, "days").with("from", from).with("to", to));
    session.noteWarnings(answer);
    session.print(
        answer,
        output -> {
          var shown = Json.object().arrayNode();
          answer
              .path("days")
              .forEach(
                  day -> {
                    if (!off || !day.path("business").asBoolean()) {
                      shown.add(day);
                    }
                  });
          DAYS.print(shown, output);
          output.line("%s business days".formatted(Json.text(answer, "/businessDays")));
        });
  }

  @Command(
      name = "diff",
      description = "Show what differs between two versions of a calendar.",
      footer = {"", "Example:", "  carillon calendar diff it 1 --to 3"})
  void diff(
      @Mixin Session session,
      @Parameters(paramLabel = "NAME", description = WHICH) String name,
      @Parameters(paramLabel = "VERSION", description = "The version to compare.") int version,
      @Option(
              names = "--to",
              paramLabel = "N",
              description = "With which one; the current if not said.")
          @Nullable Integer to) {
    JsonNode diff =
        session.ask(
            Call.get("calendars", name, "versions", String.valueOf(version), "diff")
                .with("to", to));
    session.print(
        diff,
        output -> {
          if (diff.path("changes").isEmpty()) {
            output.line("nothing differs");
          }
          CalendarText.printChanges(diff.path("changes"), output);
        });
  }

  @Command(
      name = "who-uses",
      description = "Show which schedules and calendars use a calendar.",
      footer = {"", "Example:", "  carillon calendar who-uses it"})
  void whoUses(
      @Mixin Session session, @Parameters(paramLabel = "NAME", description = WHICH) String name) {
    JsonNode users = session.ask(Call.get("calendars", name, "users").with("limit", 500));
    session.print(
        users,
        output -> {
          CalendarText.printUsers(users, output);
          if (users.path("calendars").isEmpty() && users.path("schedules").asLong() == 0) {
            output.line("nothing uses it");
          }
        });
  }

  @Command(
      name = "export",
      description = "Print the holidays of a calendar as iCalendar.",
      footer = {"", "Example:", "  carillon calendar export it > it.ics"})
  void export(
      @Mixin Session session, @Parameters(paramLabel = "NAME", description = WHICH) String name) {
    String text =
        session.client().text(Call.get("calendars", name, "ics").saying("Accept", "text/calendar"));
    session.print(Json.object().put("ics", text), output -> text.lines().forEach(output::line));
  }

  @Command(
      name = "delete",
      description = "Delete a calendar that nothing uses.",
      footer = {"", "Example:", "  carillon calendar delete it"})
  void delete(
      @Mixin Session session,
      @Parameters(paramLabel = "NAME", description = WHICH) String name,
      @Option(names = "--dry-run", description = "Only show who uses it.") boolean dryRun,
      @Mixin Confirmation confirmation) {
    if (dryRun) {
      JsonNode answer = session.ask(Call.delete("calendars", name).with("dryRun", true));
      session.print(answer, output -> CalendarText.printDeletion(answer, output));
      return;
    }
    confirmation.ask(session, "Delete calendar " + name);
    JsonNode answer = session.ask(Call.delete("calendars", name));
    session.print(answer, output -> output.line("calendar " + name + " is deleted"));
  }
}
