package dev.carillon.server.api;

import dev.carillon.Carillon;
import dev.carillon.model.Decision;
import dev.carillon.model.Explanation;
import dev.carillon.model.Explanation.Step;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.QueryParameters;
import dev.carillon.server.web.QueryParameter;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a schedule did, did not, or will or will not run at an instant. */
record ExplainRoutes(Carillon carillon) {
  List<Route> routes() {
    return List.of(
        Route.get(Api.ROOT + "/schedules/{key}/explain", Role.VIEWER, "explainSchedule")
            .reach(Reach.SCOPE)
            .summary("Tell why a schedule did or did not run at an instant, or will or will not")
            .query(QueryParameter.format("at", "date-time", "The instant; must be given."))
            .answers(200, "Explanation", this::explain));
  }

  Reply explain(Request request) {
    String key = request.part("key");
    QueryParameters parameters = QueryParameters.of(request);
    if (request.parameter("at").isEmpty()) {
      parameters.error("at", "say for which instant, such as 2027-03-28T01:00:00Z");
    }
    Optional<Instant> at = parameters.instant("at");
    parameters.done();
    return Reply.ok(
        view(
            parameters
                .doing(
                    "at",
                    () -> Reachable.schedules(carillon, request).explain(key, at.orElseThrow()))
                .orElseThrow(() -> NotFound.schedule(key))));
  }

  private static Map<String, @Nullable Object> view(Explanation explanation) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("at", ContractText.of(explanation.at()));
    view.put("slot", RunView.written(explanation.slot()));
    view.put("dueAt", RunView.written(explanation.dueAt()));
    view.put("outcome", ContractText.word(explanation.outcome()));
    view.put("run", explanation.run().map(RunView::whole).orElse(null));
    view.put("decision", explanation.decision().map(ExplainRoutes::view).orElse(null));
    view.put("previous", explanation.previous().map(FireRoutes::view).orElse(null));
    view.put("next", explanation.next().map(FireRoutes::view).orElse(null));
    view.put("moves", explanation.moves().stream().map(MoveView::of).toList());
    view.put("dueThen", explanation.dueThen().stream().map(FireRoutes::view).toList());
    view.put("steps", explanation.steps().stream().map(ExplainRoutes::view).toList());
    view.put("text", explanation.text());
    return view;
  }

  private static Map<String, @Nullable Object> view(Decision decision) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("reason", ContractText.word(decision.droppedSlots().reason()));
    view.put("first", ContractText.of(decision.droppedSlots().first()));
    view.put("last", ContractText.of(decision.droppedSlots().last()));
    view.put("slots", decision.droppedSlots().slots());
    view.put("policy", decision.droppedSlots().by().orElse(null));
    view.put("mergedInto", RunView.written(decision.droppedSlots().mergedInto()));
    view.put("version", decision.version());
    view.put("decidedAt", ContractText.of(decision.decidedAt()));
    return view;
  }

  private static Map<String, @Nullable Object> view(Step step) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("what", ContractText.word(step.what()));
    view.put("because", step.because());
    view.put("by", step.by().orElse(null));
    view.put("at", RunView.written(step.at()));
    return view;
  }
}
