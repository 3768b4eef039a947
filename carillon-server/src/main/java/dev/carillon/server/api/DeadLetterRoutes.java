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
import dev.carillon.server.web.KeyedRequest;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
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
            .inBatches()
            .answers(200, "Redriven")
            .answers(202, "Redriven", this::redrive),
        Route.post(ALL + "/dismiss", Role.OPERATOR, "dismissDeadLetters")
            .reach(Reach.SCOPE)
            .summary("Give dead letters up for a reason, by id or by filter; they stay failed")
            .takes("DismissRequest")
            .inBatches()
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
    var change =
        new Change(
            "redriven",
            202,
            found -> payload.ifPresent(found::check),
            found -> payload.map(found::redrive).orElseGet(found::redrive),
            (runs, ids) ->
                payload.map(given -> runs.redrive(ids, given)).orElseGet(() -> runs.redrive(ids)));
    return fields.doing("payload", () -> change(request, wanted, change));
  }

  Reply dismiss(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> reason =
        fields.needed("reason", "dismissing needs a reason: it is shown with the run", MAX_REASON);
    Wanted wanted = wanted(fields);
    fields.done();
    String why = reason.orElseThrow();
    return change(
        request,
        wanted,
        new Change(
            "dismissed",
            200,
            found -> {},
            found -> found.dismiss(why),
            (runs, ids) -> runs.dismiss(ids, why)));
  }

  /**
   * What is done.
   *
   * @param word what was done, as the answer has it
   * @param status what is answered
   * @param check refuses what cannot be done to what a filter found
   * @param toFound does it to what a filter found
   * @param toNamed does it to what is named
   */
  private record Change(
      String word,
      int status,
      Consumer<DeadLetters> check,
      ToLongFunction<DeadLetters> toFound,
      ToLongBiFunction<Runs, List<RunId>> toNamed) {
    Reply reply(boolean dryRun, BatchProgress progress, long changed) {
      var body = new LinkedHashMap<String, @Nullable Object>();
      body.put("dryRun", dryRun);
      body.put("matched", progress.matched());
      body.put("first", progress.first());
      body.put(word, changed);
      return Reply.json(dryRun ? 200 : status, body);
    }
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

  private Reply change(Request request, Wanted wanted, Change change) {
    if (wanted.filter.isEmpty()) {
      return request
          .keyed()
          .filter(any -> !wanted.scope.dryRun())
          .map(
              keyed ->
                  keyed.inOneTransaction(
                      tx -> named(Reachable.runs(carillon.in(tx), request), wanted, change)))
          .orElseGet(() -> named(runs(request), wanted, change));
    }
    DeadLetters found = runs(request).findDeadLetters(wanted.filter.get());
    if (wanted.scope.dryRun()) {
      wanted.scope.check(found.count());
      change.check.accept(found);
      return change.reply(true, progress(found), 0);
    }
    return changed(request.keyed(), found, wanted, change);
  }

  private static Reply named(Runs runs, Wanted wanted, Change change) {
    wanted.scope.check(wanted.ids.size());
    boolean dryRun = wanted.scope.dryRun();
    return change.reply(
        dryRun,
        BatchProgress.of(wanted.ids.size(), List.of(), ""),
        dryRun ? 0 : change.toNamed.applyAsLong(runs, wanted.ids));
  }

  private static Reply changed(
      Optional<KeyedRequest> keyed, DeadLetters found, Wanted wanted, Change change) {
    Optional<BatchProgress> before = keyed.flatMap(KeyedRequest::progress).map(BatchProgress::read);
    if (before.isEmpty()) {
      wanted.scope.check(found.count());
    }
    BatchProgress progress = before.orElseGet(() -> progress(found));
    LongFunction<Reply> answer = count -> change.reply(false, progress, count);
    DeadLetters left = progress.mark().map(mark -> found.after(mark, progress.end())).orElse(found);
    return answer.apply(
        change.toFound.applyAsLong(
            keyed.map(request -> left.loggedBy(progress.log(request, answer))).orElse(left)));
  }

  private static BatchProgress progress(DeadLetters found) {
    return BatchProgress.of(
        found.count(),
        found.first().stream()
            .map(run -> DefinitionView.listed(RunView.of(run), PayloadUse.LEFT_OUT))
            .toList(),
        found.end());
  }
}
