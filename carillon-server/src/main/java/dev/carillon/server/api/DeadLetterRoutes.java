package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.DeadLetters;
import dev.carillon.Runs;
import dev.carillon.model.Payload;
import dev.carillon.model.PayloadUse;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The {@code /dead-letters} resource: runs that were given up. */
record DeadLetterRoutes(Carillon carillon) {
  private static final String ALL = Api.ROOT + "/dead-letters";
  private static final int MAX_IDS = 1_000;
  private static final int MAX_REASON = 1_000;

  List<Route> routes() {
    return List.of(
        RunRoutes.filtered(Route.get(ALL, Role.VIEWER, "listDeadLetters"))
            .reach(Reach.SCOPE)
            .summary(
                "List runs that failed for good and were not dismissed, the latest slots first")
            .query(PagedLists.INCLUDE)
            .paged()
            .answers(200, "RunPage", this::list),
        Route.post(ALL + "/redrive", Role.OPERATOR, "redriveDeadLetters")
            .reach(Reach.SCOPE)
            .summary("Run dead letters again, by id or by filter")
            .takes("RedriveRequest")
            .answers(200, "Redriven")
            .answers(202, "Redriven", this::redrive),
        Route.post(ALL + "/dismiss", Role.OPERATOR, "dismissDeadLetters")
            .reach(Reach.SCOPE)
            .summary("Give dead letters up for a reason, by id or by filter; they stay failed")
            .takes("DismissRequest")
            .answers(200, "Dismissed", this::dismiss));
  }

  Reply list(Request request) {
    QueryParameters parameters = QueryParameters.of(request);
    RunFilter filter = RunRoutes.filter(parameters);
    PayloadUse payloads = PagedLists.payloads(parameters);
    return PagedLists.reply(
        PagedLists.ask(
            parameters,
            (after, limit) -> runs(request).deadLetters(filter, after, limit, payloads)),
        run -> DefinitionView.listed(RunView.of(run), payloads));
  }

  Reply redrive(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<Payload> payload = fields.payload("payload");
    Wanted wanted = wanted(fields);
    fields.done();
    Runs runs = runs(request);
    Optional<DeadLetters> found = wanted.filter.map(runs::findDeadLetters);
    return change(
        wanted,
        found,
        "redriven",
        202,
        () ->
            found
                .map(all -> payload.map(all::redrive).orElseGet(all::redrive))
                .orElseGet(() -> redriven(runs, wanted.ids, payload)));
  }

  Reply dismiss(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> reason =
        fields.needed("reason", "dismissing needs a reason: it is shown with the run", MAX_REASON);
    Wanted wanted = wanted(fields);
    fields.done();
    Runs runs = runs(request);
    Optional<DeadLetters> found = wanted.filter.map(runs::findDeadLetters);
    String why = reason.orElseThrow();
    return change(
        wanted,
        found,
        "dismissed",
        200,
        () -> found.map(all -> all.dismiss(why)).orElseGet(() -> runs.dismiss(wanted.ids, why)));
  }

  private Runs runs(Request request) {
    return Reachable.runs(carillon, request);
  }

  /* Which dead letters are meant: some by their ids, or all that a filter finds. */
  private record Wanted(List<RunId> ids, Optional<RunFilter> filter, BulkScope scope) {}

  private static Wanted wanted(JsonFields fields) {
    Optional<List<String>> ids = fields.texts("ids", MAX_IDS);
    Optional<JsonFields> filter = fields.object("filter");
    if (fields.has("ids")) {
      if (fields.has("filter")) {
        fields.error("say which: either ids or a filter");
      }
      return new Wanted(
          ids(fields, ids.orElse(List.of())), Optional.empty(), BulkScope.ofNamed(fields));
    }
    RunFilter wanted = filter.map(RunFilterForm::read).orElse(RunFilter.all());
    if (filter.isEmpty() && !fields.flag("all").orElse(false)) {
      fields.error("say which: either ids or a filter");
    }
    BulkScope scope = BulkScope.read(fields);
    scope.checkFilter(fields, wanted.narrows(), "schedule, target, correlation, period or q");
    return new Wanted(List.of(), Optional.of(wanted), scope);
  }

  private static List<RunId> ids(JsonFields fields, List<String> texts) {
    return texts.stream()
        .flatMap(
            id ->
                fields
                    .tried(
                        "ids",
                        () ->
                            RunId.parse(id)
                                .orElseThrow(
                                    () -> new InvalidValueException("not all are ids of runs")))
                    .stream())
        .toList();
  }

  private static Reply change(
      Wanted wanted, Optional<DeadLetters> found, String done, int status, Supplier<Long> change) {
    int matched = found.map(DeadLetters::count).orElse(wanted.ids.size());
    wanted.scope.check(matched);
    boolean dryRun = wanted.scope.dryRun();
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("dryRun", dryRun);
    body.put("matched", matched);
    body.put(
        "first",
        found.map(DeadLetters::first).orElse(List.of()).stream()
            .map(run -> DefinitionView.listed(RunView.of(run), PayloadUse.LEFT_OUT))
            .toList());
    body.put(done, dryRun ? 0 : change.get());
    return Reply.json(dryRun ? 200 : status, body);
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
