package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Count;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Criteria;
import dev.carillon.cli.remote.Given;
import dev.carillon.cli.remote.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code carillon dead redrive}. */
@Command(
    name = "redrive",
    description = "Run dead letters again, also with another payload.",
    footer = {
      "",
      "Examples:",
      "  carillon dead redrive 01981b2c-5a00-7000-8000-000000000001 --payload @fixed.json",
      "  carillon dead redrive --schedule nightly --from 2027-03-01 --yes"
    })
final class RedriveCommand implements Runnable {
  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private Session session;

  @Mixin
  @SuppressWarnings("NullAway.Init") // by picocli
  private RunFilter filter;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Ids of dead letters; or none, and say which with the options below.")
  private List<String> ids = List.of();

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "Instead of their own: JSON, @FILE, or - for stdin.")
  private @Nullable String payload;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask before doing it to all that the options find.")
  private boolean yes;

  @Override
  public void run() {
    Criteria wanted = filter.criteria(session);
    if (ids.isEmpty() == wanted.isEmpty()) {
      throw Session.wrong(
          ids.isEmpty()
              ? "say which dead letters: their ids, or options such as --schedule"
              : "ids and options such as --schedule exclude each other; drop one");
    }
    ObjectNode body = Json.object();
    if (ids.isEmpty()) {
      body.set("filter", wanted.json());
      if (!yes) {
        session.confirm("Run all dead letters with %s again".formatted(wanted));
      }
    } else {
      ids.forEach(body.putArray("ids")::add);
    }
    new Given(session.surroundings())
        .json("--payload", payload)
        .ifPresent(json -> body.set("payload", json));
    JsonNode answer = session.ask(Call.post("dead-letters", "redrive").sending(body));
    session.print(
        answer,
        output ->
            output.line(
                Count.of(answer.path("redriven").asLong(), "run is", "runs are")
                    + " pending again"));
  }
}
