package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.Runs;
import dev.carillon.model.Payload;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.server.read.Fields;
import dev.carillon.server.read.Parameters;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code /dead-letters} resource: runs that were given up. */
final class DeadLetterRoutes {
  private static final String ALL = Api.ROOT + "/dead-letters";
  private static final int MOST = 1_000;

  private final Carillon carillon;

  DeadLetterRoutes(Carillon carillon) {
    this.carillon = carillon;
  }

  List<Route> routes() {
    return List.of(
        RunRoutes.filtered(Route.get(ALL, Role.VIEWER, "listDeadLetters"))
            .summary("List runs that failed for good, the latest slots first")
            .paged()
            .answers(200, "RunPage")
            .by(this::list),
        Route.post(ALL + "/redrive", Role.OPERATOR, "redriveDeadLetters")
            .summary("Run dead letters again, by id or by filter")
            .takes("RedriveRequest")
            .answers(202, "Redriven")
            .by(this::redrive));
  }

  Reply list(Request request) {
    Parameters parameters = Parameters.of(request);
    RunFilter filter = RunRoutes.filter(parameters);
    return Lists.reply(
        Lists.ask(parameters, (after, limit) -> carillon.runs().deadLetters(filter, after, limit)),
        RunView::of);
  }

  Reply redrive(Request request) {
    Fields fields = Fields.of(request);
    Optional<List<String>> ids = fields.texts("ids", MOST);
    Optional<Fields> filter = fields.object("filter");
    Optional<Payload> payload = fields.payload("payload");
    if (fields.has("ids") == fields.has("filter")) {
      fields.mistake("say which: either ids or a filter");
    }
    Optional<RunFilter> wanted = filter.map(RunFilterForm::read);
    List<RunId> named =
        ids.orElse(List.of()).stream()
            .flatMap(
                id ->
                    fields
                        .tried(
                            "ids",
                            () ->
                                RunId.parse(id)
                                    .orElseThrow(
                                        () ->
                                            new IllegalArgumentException(
                                                "not all are ids of runs")))
                        .stream())
            .toList();
    fields.done();
    Runs runs = carillon.runs().as(request.caller().name());
    long driven =
        wanted.isPresent() ? runs.redrive(wanted.get(), payload) : redriven(runs, named, payload);
    return Reply.json(202, Map.of("redriven", driven));
  }

  private static long redriven(Runs runs, List<RunId> ids, Optional<Payload> payload) {
    return ids.stream()
        .filter(
            id ->
                payload
                    .map(given -> runs.retry(id, given))
                    .orElseGet(() -> runs.retry(id))
                    .isPresent())
        .count();
  }
}
