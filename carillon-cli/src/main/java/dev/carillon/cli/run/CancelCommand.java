package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.BulkChange;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Listing;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon run cancel}. */
@Command(
    name = "cancel",
    description = {
      "Cancel a run that is pending or running, or all pending ones with a correlation."
    },
    footer = {
      "",
      "Examples:",
      "  carillon run cancel 01981b2c-5a00-7000-8000-000000000001 --reason \"wrong payload\"",
      "  carillon run cancel --correlation order-17"
    })
final class CancelCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Parameters(paramLabel = "ID", arity = "0..1", description = RunsCommand.ID)
  private @Nullable String id;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "With an id, needed: shown to whoever wonders why it was canceled.")
  private @Nullable String reason;

  @Option(
      names = "--correlation",
      paramLabel = "TEXT",
      description = "Cancel all that share this word and have not started.")
  private @Nullable String correlation;

  @Option(
      names = {"-y", "--yes"},
      description = "With --correlation: do not ask.")
  private boolean yes;

  @Override
  public void run() {
    OptionValues.filled("ID", id);
    OptionValues.filled("--correlation", correlation);
    OptionValues.filled("--reason", reason);
    if (id != null && reason != null && correlation == null) {
      one(id, reason);
    } else if (correlation != null && id == null && reason == null) {
      all(correlation);
    } else {
      throw Session.wrong("say which: an id with --reason, or --correlation");
    }
  }

  private void one(String run, String why) {
    Call call = Call.post("runs", run, "cancel");
    JsonNode answer = session.ask(call.sending(Json.object().put("reason", why)));
    boolean over = Json.text(answer, "/state").equals("canceled");
    session.print(
        answer,
        output ->
            output.line("run %s %s".formatted(run, over ? "is canceled" : "was asked to stop")));
  }

  private void all(String word) {
    List<JsonNode> unstarted = unstarted(word);
    if (!unstarted.isEmpty()) {
      session.confirmMany(
          yes,
          "Cancel " + CountText.of(unstarted.size(), "run", "runs"),
          unstarted.stream().map(run -> Json.text(run, "/id")).limit(BulkChange.MAX_SHOWN).toList(),
          unstarted.size());
    }
    JsonNode answer =
        session.ask(
            Call.delete("runs")
                .with("correlation", word)
                .with("expect", Integer.toString(unstarted.size())));
    String count = CountText.of(answer.path("canceled").asLong(), "run is", "runs are");
    session.print(answer, output -> output.line(count + " canceled"));
  }

  private List<JsonNode> unstarted(String word) {
    Call pending =
        Call.get("runs").with("correlation", word).with("state", "pending").with("planned", "true");
    var unstarted = new ArrayList<JsonNode>();
    for (JsonNode run : Listing.of(session.client(), pending, Integer.MAX_VALUE).items()) {
      if (run.path("attempt").asInt() == 0) {
        unstarted.add(run);
      }
    }
    return unstarted;
  }
}
