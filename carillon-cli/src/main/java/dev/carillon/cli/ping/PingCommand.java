package dev.carillon.cli.ping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code carillon ping …}. */
@Command(
    name = "ping",
    description = "Watch work that runs elsewhere, such as a crontab, by its pings.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon ping create backup --every 1d --grace 1h --escalate-to page-someone",
      "  carillon ping wrap backup -- rsync -a /home /mnt/backup"
    })
public final class PingCommand implements CommandGroup {
  static final String KEY = "Key of the check; 'carillon ping list' shows them.";

  private static final int MAX_SHOWN = 60;

  private static final TableLayout CHECKS =
      new TableLayout()
          .text("KEY", "/key")
          .state("STATUS", "/status")
          .when("LAST SUCCESS", "/lastSuccess")
          .when("LAST FAIL", "/lastFail")
          .when("OVERDUE", "/overdueAt")
          .text("ESCALATES TO", "/escalateTo");

  private static final TableLayout PINGS =
      new TableLayout()
          .when("AT", "/at")
          .word("PING", "/kind")
          .number("MS", "/durationMs")
          .number("EXIT", "/exitCode")
          .text("OUTPUT", PingCommand::lastLine);

  @Override
  public List<Object> commands() {
    return List.of("list", "show", "create", "delete", "send", WrapCommand.class);
  }

  @Command(
      name = "list",
      description = "List the checks and how they stand.",
      footer = {"", "Example:", "  carillon ping list"})
  void list(@Mixin Session session, @Mixin Paging paging) {
    paging.print(session, Call.get("pings"), CHECKS);
  }

  @Command(
      name = "show",
      description = "Show a check and its last pings.",
      footer = {"", "Example:", "  carillon ping show backup"})
  void show(@Mixin Session session, @Parameters(paramLabel = "KEY", description = KEY) String key) {
    JsonNode check = session.ask(Call.get("pings", key));
    session.print(check, output -> show(check, output));
  }

  private static void show(JsonNode check, Output output) {
    output.line(
        "%s  %s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(Json.text(check, "/key"))),
                output.word(Json.text(check, "/status"))));
    output.line("");
    var details = new DetailView();
    for (Map.Entry<String, JsonNode> field : check.properties()) {
      if (!field.getKey().matches("key|status|pings") && !HumanText.isNothing(field.getValue())) {
        add(details, field.getKey(), field.getValue());
      }
    }
    details.print(output);
    if (!check.path("pings").isEmpty()) {
      output.line("");
      PINGS.print(check.path("pings"), output);
    }
  }

  private static void add(DetailView details, String name, JsonNode value) {
    if (value.isValueNode()) {
      details.add(name, TerminalText.line(value.asText()));
    } else {
      details.add(name, HumanText.json(value));
    }
  }

  private static String lastLine(JsonNode ping) {
    String text = Json.text(ping, "/output").strip();
    String line = text.substring(text.lastIndexOf('\n') + 1);
    return line.codePointCount(0, line.length()) <= MAX_SHOWN
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MAX_SHOWN)) + "…";
  }

  @Command(
      name = "create",
      description = "Define a check, or define it anew.",
      footer = {
        "",
        "Examples:",
        "  carillon ping create backup --every 1d --grace 1h --escalate-to page-someone",
        "  carillon ping create report --cron \"0 2 * * *\" --zone Europe/Rome --grace 30m"
      })
  void create(
      @Mixin Session session,
      @Parameters(paramLabel = "KEY", description = "What to call it.") String key,
      @Option(
              names = "--every",
              paramLabel = "DURATION",
              description = "The longest time between two successes, such as 1d.")
          @Nullable String every,
      @Option(
              names = "--cron",
              paramLabel = "EXPRESSION",
              description = "Or after each slot of this cron expression.")
          @Nullable String cron,
      @Option(
              names = "--zone",
              paramLabel = "ZONE",
              description = "With --cron: on the clock of this zone (default: UTC).")
          @Nullable String zone,
      @Option(
              names = "--grace",
              paramLabel = "DURATION",
              description = "How much longer it may take.")
          @Nullable String grace,
      @Option(
              names = "--escalate-to",
              paramLabel = "TARGET",
              description = "The target that runs once when it is down.")
          @Nullable String escalateTo,
      @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
          @Nullable String description,
      @Option(names = "--tag", paramLabel = "TAG", description = "Find it by this; again for more.")
          @Nullable List<String> tags) {
    var values = new OptionValues(session.environment());
    ObjectNode body = Json.object();
    ObjectNode expect = body.putObject("expect");
    Json.put(expect, "successEvery", values.duration("--every", every));
    Json.put(expect, "cron", cron);
    Json.put(expect, "zone", zone);
    Json.put(expect, "grace", values.duration("--grace", grace));
    Json.put(body, "escalateTo", escalateTo);
    Json.put(body, "description", description);
    if (tags != null) {
      tags.forEach(body.putArray("tags")::add);
    }
    JsonNode check = session.ask(Call.put("pings", key).sending(body));
    session.print(
        check,
        output ->
            output.line(
                "ping %s is %s"
                    .formatted(
                        TerminalText.line(Json.text(check, "/key")),
                        output.word(Json.text(check, "/status")))));
  }

  @Command(
      name = "delete",
      description = "Delete a check and its pings.",
      footer = {"", "Example:", "  carillon ping delete backup"})
  void delete(
      @Mixin Session session,
      @Parameters(paramLabel = "KEY", description = KEY) String key,
      @Mixin Confirmation confirmation) {
    confirmation.ask(session, "Delete ping " + key);
    JsonNode answer = session.ask(Call.delete("pings", key));
    session.print(answer, output -> output.line("ping " + TerminalText.line(key) + " is deleted"));
  }

  @Command(
      name = "send",
      description = "Ping: the work succeeded, or begins, or failed.",
      footer = {
        "",
        "Examples:",
        "  carillon ping send backup",
        "  carillon ping send backup fail --exit-code 2 --text \"disk full\""
      })
  void send(
      @Mixin Session session,
      @Parameters(index = "0", paramLabel = "KEY", description = KEY) String key,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "WHAT",
              defaultValue = "success",
              description = "start, success or fail (default: ${DEFAULT-VALUE}).")
          String what,
      @Option(names = "--exit-code", paramLabel = "N", description = "How the process ended.")
          @Nullable Integer exitCode,
      @Option(names = "--took-ms", paramLabel = "N", description = "How long it took.")
          @Nullable Long tookMs,
      @Option(names = "--text", paramLabel = "TEXT", description = "The end of what it printed.")
          @Nullable String text) {
    if (!List.of("start", "success", "fail").contains(what)) {
      throw Session.wrong("'%s' is no ping; use start, success or fail", what);
    }
    JsonNode check =
        session.ask(Call.post("pings", key, what).sending(PingReport.of(tookMs, exitCode, text)));
    session.print(
        check,
        output ->
            output.line(
                "ping %s is %s"
                    .formatted(TerminalText.line(key), output.word(Json.text(check, "/status")))));
  }
}
