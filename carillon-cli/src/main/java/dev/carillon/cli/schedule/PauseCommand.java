package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Moment;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.InZone;
import dev.carillon.cli.remote.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code carillon schedule pause}. */
@Command(
    name = "pause",
    description = "Let schedules fire no more until they are resumed, now or from some moment on.",
    footer = {
      "",
      "Examples:",
      "  carillon schedule pause nightly --reason \"the report is being rebuilt\"",
      "  carillon schedule pause --tag reports --reason maintenance",
      "  carillon schedule pause nightly --from 2027-04-01 --until 2027-04-05 --reason holidays"
    })
final class PauseCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Which which;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private InZone clock;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Shown to whoever wonders why it stopped.")
  private String reason = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Begin at this day or moment; what comes before still runs.")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Resume by itself at this day or moment.")
  private @Nullable String until;

  @Override
  public void run() {
    ObjectNode body = Json.object().put("reason", reason);
    String begin = clock.given(session).moment("--from", from, Moment.Edge.FIRST);
    if (begin != null) {
      body.put("from", begin);
    }
    String end = clock.given(session).moment("--until", until, Moment.Edge.FIRST);
    if (end != null) {
      body.put("until", end);
    }
    which.each(session, "pause", body, key -> Call.post("schedules", key, "pause").sending(body));
  }
}
