package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.CommandGroup;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.OptionValues;
import dev.carillon.cli.remote.Paging;
import dev.carillon.cli.remote.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands {@code carillon dead …}. */
@Command(
    name = "dead",
    description = "See runs that failed for good, run them again, or give them up.",
    addMethodSubcommands = false,
    footer = {
      "",
      "Examples:",
      "  carillon dead list --target send-report",
      "  carillon dead redrive --schedule nightly"
    })
public final class DeadCommand implements CommandGroup {
  @Override
  public List<Object> commands() {
    return List.of("list", "redrive", "dismiss");
  }

  @Command(
      name = "list",
      description = "List dead letters: runs that failed and are not tried again by themselves.",
      footer = {"", "Example:", "  carillon dead list --target send-report"})
  void list(@Mixin Session session, @Mixin RunFilterOptions filter, @Mixin Paging paging) {
    Call call = filter.criteria(session).on(Call.get("dead-letters"));
    paging.print(session, call, RunText.LIST);
  }

  @Command(
      name = "redrive",
      description = {
        "Run dead letters again, also with another payload. Those of one schedule run one after the"
            + " other."
      },
      footer = {
        "",
        "Examples:",
        "  carillon dead redrive 01981b2c-5a00-7000-8000-000000000001 --payload @fixed.json",
        "  carillon dead redrive --schedule nightly --from 2027-03-01 --yes"
      })
  void redrive(
      @Mixin Session session,
      @Mixin DeadLetterSelection which,
      @Option(
              names = "--payload",
              paramLabel = "JSON",
              description = "Instead of their own: JSON, @FILE, or - for stdin.")
          @Nullable String payload) {
    ObjectNode body = Json.object();
    new OptionValues(session.environment()).addPayload(body, payload);
    JsonNode answer = which.change(session, "redrive", "Run again", body);
    String count = CountText.of(answer.path("redriven").asLong(), "run is", "runs are");
    session.print(answer, output -> output.line(count + " pending again"));
  }

  @Command(
      name = "dismiss",
      description =
          "Give dead letters up: they stay failed, with the reason, and are listed no more.",
      footer = {
        "",
        "Examples:",
        "  carillon dead dismiss 01981b2c-5a00-7000-8000-000000000001 --reason \"order withdrawn\"",
        "  carillon dead dismiss --schedule nightly --to 2027-03-01 --reason \"too old\" --yes"
      })
  void dismiss(
      @Mixin Session session,
      @Mixin DeadLetterSelection which,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "Shown with the run, and kept in the audit.")
          String reason) {
    OptionValues.filled("--reason", reason);
    ObjectNode body = Json.object().put("reason", reason);
    JsonNode answer = which.change(session, "dismiss", "Dismiss", body);
    String count =
        CountText.of(answer.path("dismissed").asLong(), "dead letter is", "dead letters are");
    session.print(answer, output -> output.line(count + " dismissed"));
  }
}
