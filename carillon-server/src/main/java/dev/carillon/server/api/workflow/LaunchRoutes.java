package dev.carillon.server.api.workflow;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.Runs;
import dev.carillon.model.Payload;
import dev.carillon.model.RunId;
import dev.carillon.model.Workflow;
import dev.carillon.server.api.Api;
import dev.carillon.server.api.Reachable;
import dev.carillon.server.api.TargetLabels;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.targets.workflow.LaunchContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The run launcher: starts a workflow as a run without a schedule. */
public record LaunchRoutes(Carillon carillon, WorkflowStore workflows, TargetLabels targets) {

  public List<Route> routes() {
    return List.of(
        Route.post(Api.ROOT + "/run-launcher/start", Role.OPERATOR, "startWorkflow")
            .reach(Reach.SCOPE)
            .summary("Start a workflow now; the same idempotency key starts it once")
            .takes("NewLaunch")
            .answers(200, "Launched")
            .answers(202, "Launched", this::start));
  }

  public Reply start(Request request) {
    return request
        .transaction()
        .map(tx -> new LaunchRoutes(carillon.in(tx), new WorkflowStore(tx), targets))
        .orElse(this)
        .started(request);
  }

  private Reply started(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> id = fields.needed("workflowId", "say which workflow to start");
    Optional<Integer> version = fields.whole("version", 1, Integer.MAX_VALUE).map(Math::toIntExact);
    Optional<String> user = fields.text("userId");
    Optional<Payload> input = fields.payload("input");
    Instant slot = fields.instant("scheduledFor").orElseGet(() -> carillon.clock().instant());
    Optional<String> key =
        fields.needed("idempotencyKey", "give a key, so that a repeated request starts it once");
    String target = targets.read(fields, WorkflowForm.DEFAULT_TARGET);
    key.ifPresent(
        word ->
            fields.tried(
                user.filter(String::isBlank).isPresent() ? "userId" : "idempotencyKey",
                () -> new LaunchContext(user, slot, word, Optional.empty(), 1)));
    fields.done();
    // Before the workflow is looked for: the answer would tell whether there is one.
    request.caller().scope().checkAdHoc(target);
    Optional<Workflow> found =
        version
            .map(number -> workflows.find(id.orElseThrow(), number))
            .orElseGet(() -> workflows.latest(id.orElseThrow()))
            .filter(workflow -> workflow.removed().isEmpty());
    if (found.isEmpty()) {
      return Reply.ok(view(Optional.empty()));
    }
    var payload = new LinkedHashMap<String, Object>();
    payload.put("workflow_id", found.get().id());
    payload.put("version", found.get().version());
    user.ifPresent(name -> payload.put("user_id", name));
    input.ifPresent(given -> payload.put("input", given.content()));
    payload.put("scheduled_for", ContractText.of(slot));
    payload.put("idempotency_key", key.orElseThrow());
    Runs runs = Reachable.runs(carillon, request);
    RunId run =
        runs.enqueue(
            RunDraft.of(target).payload(payload).requestId("run-launcher/" + key.orElseThrow()));
    // The key may be another's, who started something that this caller does not reach.
    if (runs.reached(List.of(run)).isEmpty()) {
      throw new ProblemException(
          ProblemKind.IDEMPOTENCY_KEY_REUSED,
          "This idempotency key was used for another request; use a new one.");
    }
    return Reply.json(202, targets.warn(view(Optional.of(run)), target))
        .header("Location", Api.ROOT + "/runs/" + run);
  }

  private static Map<String, @Nullable Object> view(Optional<RunId> run) {
    var view = new LinkedHashMap<String, @Nullable Object>();
    view.put("started", run.isPresent());
    view.put("run", run.map(RunId::toString).orElse(null));
    return view;
  }
}
