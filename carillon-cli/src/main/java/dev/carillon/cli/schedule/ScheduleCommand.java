package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.DateTimeReader.Edge;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import dev.carillon.cli.remote.ZoneOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon schedule …}. */
@Command(
    name = "schedule",
    description = "Define schedules, see when they fire, pause, run and undo.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon schedule create nightly --target log --cron \"0 2 * * *\" --zone Europe/Rome",
      "  carillon schedule apply -f schedules/ --dry-run",
      "  carillon schedule fires nightly",
      "  carillon schedule pause nightly --reason \"the report is being rebuilt\""
    })
public final class ScheduleCommand implements CommandGroup {
  private static final String KEY = "Key of the schedule.";
  private static final String DEFAULT_REASON = "asked for on the command line";
  private static final String REASON_OF_MANY =
      "With the options below: what the audit says (default: ${DEFAULT-VALUE}).";

  @Override
  public List<Object> commands() {
    return List.of(
        CreateCommand.class,
        EditCommand.class,
        ApplyCommand.class,
        "diff",
        GetCommand.class,
        "list",
        "fires",
        "pause",
        "resume",
        "run",
        BackfillCommand.class,
        VersionsCommand.class,
        "rollback",
        "delete");
  }

  @Command(
      name = "diff",
      description = "Show how schedules in files differ from those on the server.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule diff -f schedules/",
        "  carillon schedule diff -f schedules/ --prune reports --exit-code",
        "",
        "Exit codes: 0 shown, 2 a file or definition is wrong, 6 they differ (with --exit-code)."
      })
  int diff(
      @Mixin Session session,
      @Mixin DefinitionFiles files,
      @Option(names = "--exit-code", description = "End with 6 if there is a difference.")
          boolean exitCode) {
    ApplyPlan applyPlan = files.plan(session);
    session.print(applyPlan.json(Set.of()), applyPlan::print);
    return exitCode && !applyPlan.work().isEmpty() ? Exit.CHANGES : 0;
  }

  @Command(
      name = "list",
      description = "List schedules.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule list --tag reports --status paused",
        "  carillon schedule list --payload '{\"instanceId\":\"order-17\"}' -o json"
      })
  void list(@Mixin Session session, @Mixin ScheduleFilterOptions filter, @Mixin Paging paging) {
    Call call = filter.criteria(session).on(Call.get("schedules"));
    paging.print(session, call, ScheduleText.LIST);
  }

  @Command(
      name = "fires",
      description =
          "Show the slots of a schedule: what happened at past ones, what will at others.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule fires nightly",
        "  carillon schedule fires nightly --from 2027-03-01 --to 2027-03-31"
      })
  void fires(
      @Mixin Session session,
      @Mixin ZoneOption zone,
      @Parameters(paramLabel = "KEY", description = KEY) String key,
      @Option(
              names = "--from",
              paramLabel = "TIME",
              description = "First day or moment (default: now).")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "Last day or moment.")
          @Nullable String to,
      @Option(
              names = {"-n", "--limit"},
              paramLabel = "N",
              defaultValue = "20",
              description = "Show at most so many (default: ${DEFAULT-VALUE}).")
          int limit) {
    var optionValues = zone.optionValues(session);
    Call call =
        Call.get("schedules", key, "fires")
            .with("from", optionValues.moment("--from", from, Edge.FIRST))
            .with("to", optionValues.moment("--to", to, Edge.LAST))
            .with("limit", limit);
    JsonNode answer = session.ask(call);
    JsonNode fires = answer.isArray() ? answer : answer.path("items");
    session.print(
        fires,
        output -> ScheduleText.fires(fires, output, session.environment().clock().instant()));
  }

  @Command(
      name = "pause",
      description =
          "Let schedules fire no more until they are resumed, now or from some moment on.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule pause nightly --reason \"the report is being rebuilt\"",
        "  carillon schedule pause --tag reports --reason maintenance",
        "  carillon schedule pause nightly --from 2027-04-01 --until 2027-04-05 --reason holidays"
      })
  void pause(
      @Mixin Session session,
      @Mixin ScheduleSelection scheduleSelection,
      @Mixin ZoneOption zone,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "Shown to whoever wonders why it stopped.")
          String reason,
      @Option(
              names = "--from",
              paramLabel = "TIME",
              description = "Begin at this day or moment; what comes before still runs.")
          @Nullable String from,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "Resume by itself at this day or moment.")
          @Nullable String until) {
    var optionValues = zone.optionValues(session);
    ObjectNode body = Json.object().put("reason", reason);
    Json.put(body, "from", optionValues.moment("--from", from, Edge.FIRST));
    Json.put(body, "until", optionValues.moment("--until", until, Edge.FIRST));
    scheduleSelection.each(
        session, "pause", body, key -> Call.post("schedules", key, "pause").sending(body));
  }

  @Command(
      name = "resume",
      description = "Let paused schedules fire again, and cancel pauses that have not begun.",
      footer = {"", "Example:", "  carillon schedule resume nightly"})
  void resume(
      @Mixin Session session,
      @Mixin ScheduleSelection scheduleSelection,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              defaultValue = DEFAULT_REASON,
              description = REASON_OF_MANY)
          String reason) {
    ObjectNode more = Json.object().put("reason", reason);
    scheduleSelection.each(session, "resume", more, key -> Call.post("schedules", key, "resume"));
  }

  @Command(
      name = "run",
      description = "Run a schedule now, under its own rules.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule run nightly",
        "  carillon schedule run nightly --payload '{\"to\":\"ops\"}' --overlap allow"
      })
  void run(
      @Mixin Session session,
      @Parameters(paramLabel = "KEY", description = KEY) String key,
      @Option(
              names = "--payload",
              paramLabel = "JSON",
              description = "Instead of the schedule's own: JSON, @FILE, or - for stdin.")
          @Nullable String payload,
      @Option(
              names = "--overlap",
              paramLabel = "RULE",
              description =
                  "Instead of the schedule's own: skip, allow, queue, queue_one or"
                      + " cancel_previous.")
          @Nullable String overlap) {
    ObjectNode body = Json.object();
    new OptionValues(session.environment()).addPayload(body, payload);
    Json.put(body, "overlap", overlap);
    session.printRun(session.ask(Call.post("schedules", key, "run").sending(body)));
  }

  @Command(
      name = "rollback",
      description = "Go back to an earlier definition, as a new version.",
      footer = {"", "Example:", "  carillon schedule rollback nightly 3"})
  void rollback(
      @Mixin Session session,
      @Parameters(index = "0", paramLabel = "KEY", description = KEY) String key,
      @Parameters(
              index = "1",
              paramLabel = "VERSION",
              description = "The version to go back to; 'schedule versions' lists them.")
          int version) {
    Call call = Call.post("schedules", key, "rollback");
    JsonNode schedule = session.ask(call.sending(Json.object().put("version", version)));
    session.print(
        schedule,
        output ->
            output.line(
                "%s: version %s, which is as version %s was"
                    .formatted(key, Json.text(schedule, "/version"), version)));
  }

  @Command(
      name = "delete",
      description = "Retire schedules; their history stays.",
      footer = {
        "",
        "Examples:",
        "  carillon schedule delete nightly",
        "  carillon schedule delete --payload '{\"instanceId\":\"order-17\"}'"
      })
  void delete(
      @Mixin Session session,
      @Mixin ScheduleSelection scheduleSelection,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              defaultValue = DEFAULT_REASON,
              description = REASON_OF_MANY)
          String reason) {
    ObjectNode more = Json.object().put("reason", reason);
    scheduleSelection.each(session, "delete", more, key -> Call.delete("schedules", key));
  }
}
