package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Exit;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Events;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run watch}. */
@Command(
    name = "watch",
    description = "Show what happens to runs while it happens; a line for each change.",
    footer = {
      "",
      "Examples:",
      "  carillon run watch --schedule nightly",
      "  carillon run watch 01981b2c-5a00-7000-8000-000000000001",
      "  carillon run watch --target send-report -o json | jq .state",
      "",
      "With an id it ends with the run: exit code 0 if that succeeded, 1 if not. Otherwise it goes",
      "on until Ctrl-C or --count. With -o json, each line is one run."
    })
final class WatchCommand implements Callable<Integer> {
  private static final int PAGE = 100;
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private RunFilter filter;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "Watch this run until it is over.")
  private @Nullable String id;

  @Option(names = "--count", paramLabel = "N", description = "End after so many changes.")
  private @Nullable Integer count;

  @Override
  public Integer call() throws InterruptedException {
    if (id != null && !filter.isEmpty(session)) {
      throw Session.wrong("an id and options such as --schedule exclude each other; drop one");
    }
    try (var events = new Events(session.client())) {
      return id == null ? many(events) : one(events, id);
    }
  }

  private int one(Events events, String run) throws InterruptedException {
    var watch = new Watch(true);
    while (true) {
      JsonNode now = session.ask(Call.get("runs", run));
      watch.news(List.of(now)).forEach(this::print);
      if (Watch.isOver(now)) {
        return Json.text(now, "/state").equals("succeeded") ? 0 : Exit.FAILED;
      }
      events.await();
    }
  }

  private int many(Events events) throws InterruptedException {
    var watch = new Watch(false);
    Call call = filter.on(Call.get("runs"), session);
    watch.news(Listing.of(session.client(), until(call), PAGE).items()); // what was is no news
    int printed = 0;
    while (true) {
      events.await();
      for (JsonNode run : watch.news(latest(watch, call))) {
        print(run);
        if (count != null && ++printed >= count) {
          return 0;
        }
      }
    }
  }

  /* Runs are planned ahead, and what is not due yet would hide what happens now. */
  private Call until(Call call) {
    Instant soon = session.surroundings().clock().instant().plus(CLOCKS_DIFFER);
    return call.query().containsKey("to") ? call : call.with("to", soon);
  }

  /* The newest runs, and those that were running when they were last seen among the newest. */
  private List<JsonNode> latest(Watch watch, Call call) {
    var runs = new ArrayList<JsonNode>();
    var ids = new ArrayList<String>();
    for (JsonNode run : Listing.of(session.client(), until(call), PAGE).items()) {
      runs.add(run);
      ids.add(Json.text(run, "/id"));
    }
    watch.running().stream()
        .filter(run -> !ids.contains(run))
        .limit(PAGE)
        .forEach(run -> runs.add(session.ask(Call.get("runs", run))));
    return runs;
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

  static String line(JsonNode run, Output output) {
    String state = Json.text(run, "/state");
    String took = RunText.length(run, "/durationMs");
    String why = RunText.why(run);
    String schedule = Json.text(run, "/schedule");
    return "%s  %s%s  %s  %s%s%s"
        .formatted(
            output.ages().now().toString().substring(11, 19) + "Z",
            output.word(state),
            " ".repeat(Math.max(0, 9 - state.length())),
            Json.text(run, "/id"),
            Plain.line(schedule.isEmpty() ? Json.text(run, "/target") : schedule),
            took.isEmpty() ? "" : "  " + took,
            why.isEmpty() ? "" : "  " + Plain.line(why));
  }
}
