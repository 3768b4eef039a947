package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Events;
import dev.carillon.cli.remote.Events.Event;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run watch}. */
@Command(
    name = "watch",
    description = "Show runs as they start and end; a line for each.",
    footer = {
      "",
      "Examples:",
      "  carillon run watch --schedule nightly",
      "  carillon run watch 01981b2c-5a00-7000-8000-000000000001",
      "  carillon run watch --target send-report -o json | jq .state",
      "",
      "With an id it ends with the run: exit code 0 if that succeeded, 1 if not. Otherwise it goes",
      "on until Ctrl-C or --count, also when the server restarts: no end of a run is missed. With",
      "-o json, each line is one run."
    })
final class WatchCommand implements Callable<Integer> {
  private static final Set<String> OVER = Set.of("succeeded", "failed", "canceled", "skipped");

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "Watch this run until it is over.")
  private @Nullable String id;

  @Option(names = "--schedule", paramLabel = "KEY", description = "Only those of this schedule.")
  private @Nullable String schedule;

  @Option(names = "--target", paramLabel = "LABEL", description = "Only those with this target.")
  private @Nullable String target;

  @Option(
      names = "--trigger",
      paramLabel = "TRIGGER",
      description = "Only those that are scheduled, manual, ad_hoc or backfill.")
  private @Nullable String trigger;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only when they become running, succeeded, failed, canceled or skipped.")
  private @Nullable String state;

  @Option(names = "--count", paramLabel = "N", description = "End after so many lines.")
  private @Nullable Integer count;

  @Override
  public Integer call() throws InterruptedException {
    OptionValues.filled("--schedule", schedule);
    OptionValues.filled("--target", target);
    OptionValues.filled("--trigger", trigger);
    OptionValues.filled("--state", state);
    if (id == null) {
      return many();
    }
    if (schedule != null || target != null || trigger != null || state != null) {
      throw Session.wrong("an id and options such as --schedule exclude each other; drop one");
    }
    return one(id);
  }

  private int many() throws InterruptedException {
    int printed = 0;
    try (Events events = listen(schedule, target)) {
      while (count == null || printed < count) {
        Event event = events.next();
        if (isWanted(event)) {
          print(event.data());
          printed++;
        }
      }
    }
    return 0;
  }

  private int one(String run) throws InterruptedException {
    String label = Json.text(session.ask(Call.get("runs", run)), "/target");
    String shown = "";
    try (Events events = listen(null, label)) {
      while (true) {
        JsonNode now = session.ask(Call.get("runs", run));
        String standing = Json.text(now, "/state") + " " + Json.text(now, "/attempt");
        if (!standing.equals(shown)) {
          print(now);
        }
        if (OVER.contains(Json.text(now, "/state"))) {
          return Json.text(now, "/state").equals("succeeded") ? 0 : Exit.FAILED;
        }
        shown = standing;
        while (!Json.text(events.next().data(), "/id").equals(Json.text(now, "/id"))) {
          // of another run
        }
      }
    }
  }

  private Events listen(@Nullable String schedule, @Nullable String target)
      throws InterruptedException {
    Call call = Call.get("events").with("schedule", schedule).with("target", target);
    return Events.of(session.client(), call, session::note);
  }

  private boolean isWanted(Event event) {
    return event.name().startsWith("run.")
        && (trigger == null || trigger.equals(Json.text(event.data(), "/trigger")))
        && (state == null || state.equals(Json.text(event.data(), "/state")));
  }

  private void print(JsonNode run) {
    Output output = session.output();
    if (output.format() == Output.Format.TABLE) {
      output.line(line(run, output));
    } else if (output.format() == Output.Format.JSON) {
      output.line(Json.write(run));
    } else {
      output.line("---");
      output.print(run, each -> {});
    }
    output.out().flush();
  }

  private static String line(JsonNode run, Output output) {
    String took = RunText.took(run);
    String why = RunText.why(run);
    String schedule = Json.text(run, "/schedule");
    return "%s  %s  %s  %s%s%s"
        .formatted(
            at(run, output).toString().substring(11, 19) + "Z",
            output.word(Json.text(run, "/state"), 9),
            Json.text(run, "/id"),
            TerminalText.line(schedule.isEmpty() ? Json.text(run, "/target") : schedule),
            took.isEmpty() ? "" : "  " + took,
            why.isEmpty() ? "" : "  " + TerminalText.line(why));
  }

  /* When it happened, which is not now if the server was away meanwhile. */
  private static Instant at(JsonNode run, Output output) {
    return Json.instant(run, "/finishedAt")
        .or(() -> Json.instant(run, "/startedAt"))
        .orElse(output.ages().now());
  }
}
