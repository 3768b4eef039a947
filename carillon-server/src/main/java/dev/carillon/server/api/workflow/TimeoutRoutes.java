package dev.carillon.server.api.workflow;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.NotFound;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.api.RunView;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.api.TimingForm;
import dev.carillon.server.api.WorkingDelay;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.time.PeriodDuration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Timeouts of workflow instances: runs that come later unless they are canceled. */
public record TimeoutRoutes(Carillon carillon, TargetLabels targets) {
  private static final String ALL = Api.ROOT + "/workflow-instances/{id}/timeouts";
  private static final String DEFAULT_TARGET = "workflow_timeout_handler";

  public List<Route> routes() {
    return List.of(
        Route.post(ALL, Role.OPERATOR, "createTimeout")
            .reach(Reach.SCOPE)
            .summary("Have a step of a workflow instance handled when a time has passed")
            .takes("NewTimeout")
            .answers(202, "Run", request -> in(request).create(request)),
        Route.delete(ALL, Role.OPERATOR, "cancelTimeouts")
            .reach(Reach.SCOPE)
            .summary("Cancel all timeouts of a workflow instance that have not started")
            .answers(200, "Canceled", this::cancelAll));
  }

  private TimeoutRoutes in(Request request) {
    return new TimeoutRoutes(Api.in(request, carillon), targets);
  }

  Reply create(Request request) {
    String instance = request.part("id");
    JsonFields fields = JsonFields.of(request);
    fields.require("timeout", "say after which time, such as PT15M");
    Optional<PeriodDuration> timeout = fields.amount("timeout");
    Optional<String> step = fields.needed("handlerStep", "say which step handles the timeout");
    step.filter(String::isBlank)
        .ifPresent(blank -> fields.error("handlerStep", "say which step handles the timeout"));
    Optional<String> calendar = fields.text("calendar");
    String target = targets.read(fields, DEFAULT_TARGET);
    RunDraft draft =
        fields
            .tried("target", () -> RunDraft.of(target))
            .map(
                aimed ->
                    fields.set(
                        aimed,
                        "timeout",
                        timeout,
                        (work, delay) -> WorkingDelay.of(work, delay, TimingForm.UTC, calendar)))
            .orElseGet(() -> RunDraft.of(DEFAULT_TARGET));
    fields.done();
    RunDraft work =
        draft.payload(payload(instance, step.orElseThrow())).correlation(correlation(instance));
    RunId id = fields.doing("timeout", () -> runs(request).enqueue(work));
    Run run = runs(request).get(id).orElseThrow(NotFound::run);
    return Reply.json(202, targets.warn(RunView.of(run), target))
        .header("Location", Api.ROOT + "/runs/" + id);
  }

  private static Map<String, Object> payload(String instance, String step) {
    var payload = new LinkedHashMap<String, Object>();
    payload.put("instanceId", instance);
    payload.put("timeoutHandlerStepId", step);
    return payload;
  }

  Reply cancelAll(Request request) {
    int canceled =
        runs(request)
            .cancelAll(correlation(request.part("id")), "canceled by " + request.caller().name());
    return Reply.ok(Map.of("canceled", canceled));
  }

  /* Other runs may share a word with the instance; these are its timeouts alone. */
  private static String correlation(String instance) {
    return "timeout:" + instance;
  }

  private Runs runs(Request request) {
    return Reachable.runs(carillon, request);
  }
}
