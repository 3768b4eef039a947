package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon run …}. */
@Command(
    name = "run",
    description = "See runs, watch them, cancel them and run them again.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon run list --schedule nightly --state failed",
      "  carillon run watch --schedule nightly",
      "  carillon run show 01981b2c-5a00-7000-8000-000000000001"
    })
public final class RunsCommand implements CommandGroup {
  static final String ID = "Id of the run; 'carillon run list' shows it.";

  @Override
  public List<Object> commands() {
    return List.of("list", "show", "start", CancelCommand.class, "retry", WatchCommand.class);
  }

  @Command(
      name = "list",
      description = {
        "List what is due, running or over, the newest first.",
        "What is planned for later is listed with --planned, --state, --to, or a --from to come."
      },
      footer = {
        "",
        "Examples:",
        "  carillon run list --schedule nightly --state failed",
        "  carillon run list --schedule nightly --planned",
        "  carillon run list --from 2027-03-01 --to 2027-03-01 --all -o json"
      })
  void list(
      @Mixin Session session,
      @Mixin RunFilterOptions filter,
      @Mixin Paging paging,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              order = 79,
              description =
                  "Only those that are pending, running, succeeded, failed, canceled or skipped.")
          @Nullable String state,
      @Option(names = "--planned", order = 87, description = "Also those planned for later.")
          boolean planned) {
    Call all =
        Call.get("runs")
            .with("state", OptionValues.filled("--state", state))
            .with("planned", planned ? "true" : null);
    paging.print(session, filter.criteria(session).on(all), RunText.LIST);
  }

  @Command(
      name = "show",
      description = "Show a run and its attempts.",
      footer = {"", "Example:", "  carillon run show 01981b2c-5a00-7000-8000-000000000001"})
  void show(@Mixin Session session, @Parameters(paramLabel = "ID", description = ID) String id) {
    JsonNode run = session.ask(Call.get("runs", id));
    session.print(run, output -> RunText.show(run, output));
  }

  @Command(
      name = "start",
      description = "Run a target once, without a schedule.",
      footer = {
        "",
        "Examples:",
        "  carillon run start log --payload '{\"hello\":\"world\"}'",
        "  carillon run start send-report --in 15m --correlation order-17",
        "  carillon run start send-report --template true --payload @report.json",
        "  carillon run start remind --in 8h --calendar it",
        "  carillon run start send-report --deadline 1h --escalate-to page-someone"
      })
  void start(
      @Mixin Session session,
      @Mixin ZoneOption zone,
      @Parameters(paramLabel = "TARGET", description = "Label of the target.") String target,
      @Option(
              names = "--payload",
              paramLabel = "JSON",
              description = "What it is given: JSON, @FILE, or - for stdin.")
          @Nullable String payload,
      @Option(
              names = "--template",
              arity = "1",
              paramLabel = "BOOLEAN",
              description =
                  "true: the placeholders of the payload are filled in for each attempt, with dates"
                      + " in --zone.")
          @Nullable Boolean template,
      @Option(names = "--at", paramLabel = "TIME", description = "Not before this moment.")
          @Nullable String at,
      @Option(
              names = "--in",
              paramLabel = "DURATION",
              description = "So long from now, such as 15m.")
          @Nullable String in,
      @Option(
              names = "--calendar",
              paramLabel = "NAME",
              description = "With --in: count the working time of this calendar.")
          @Nullable String calendar,
      @Option(
              names = "--correlation",
              paramLabel = "TEXT",
              description = "What it belongs to; runs that have not started can be canceled by it.")
          @Nullable String correlation,
      @Option(
              names = "--overlap-key",
              paramLabel = "TEXT",
              description = "Never run beside another run with the same.")
          @Nullable String overlapKey,
      @Option(
              names = "--deadline",
              paramLabel = "DURATION",
              description = "How long after it is due it must be finished; needs --escalate-to.")
          @Nullable String deadline,
      @Option(
              names = "--deadline-calendar",
              paramLabel = "NAME",
              description = "With --deadline: count the working time of this calendar.")
          @Nullable String deadlineCalendar,
      @Option(
              names = "--deadline-at",
              paramLabel = "TIME",
              description = "Or by when it must be finished.")
          @Nullable String deadlineAt,
      @Option(
              names = "--escalate-to",
              paramLabel = "TARGET",
              description =
                  "With --deadline or --deadline-at: the target that runs once if it is missed.")
          @Nullable String escalateTo) {
    var optionValues = zone.optionValues(session);
    ObjectNode body = Json.object().put("target", target);
    optionValues.addPayload(body, payload);
    if (template != null && template) {
      body.put("template", true);
      Json.put(body, "zone", zone.given());
    }
    Json.put(body, "at", optionValues.moment("--at", at, Edge.FIRST));
    Json.put(body, "in", optionValues.duration("--in", in));
    if (calendar != null && in == null) {
      throw Session.wrong("--calendar counts the working time of --in; say how long");
    }
    Json.put(body, "calendar", calendar);
    Json.put(body, "correlation", correlation);
    Json.put(body, "overlapKey", overlapKey);
    if (deadline != null || deadlineAt != null || escalateTo != null) {
      ObjectNode by = body.putObject("deadline");
      Json.put(by, "calendar", deadlineCalendar);
      Json.put(by, "after", optionValues.duration("--deadline", deadline));
      Json.put(by, "at", optionValues.moment("--deadline-at", deadlineAt, Edge.LAST));
      Json.put(by, "escalateTo", escalateTo);
    }
    JsonNode run = session.ask(Call.post("runs").sending(body));
    session.noteWarnings(run);
    session.print(
        run,
        output ->
            output.line(
                "run %s is %s, due %s"
                    .formatted(
                        Json.text(run, "/id"),
                        output.word(Json.text(run, "/state")),
                        output.when(run, "/dueAt"))));
  }

  @Command(
      name = "retry",
      description = "Run again what has failed or was canceled.",
      footer = {"", "Example:", "  carillon run retry 01981b2c-5a00-7000-8000-000000000001"})
  void retry(@Mixin Session session, @Parameters(paramLabel = "ID", description = ID) String id) {
    session.printRun(session.ask(Call.post("runs", id, "retry")));
  }
}
