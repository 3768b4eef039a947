package dev.carillon.server.api.compat;

import dev.carillon.json.Json;
import dev.carillon.server.read.ContractText;
import dev.carillon.server.read.JsonFields;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Reply;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The run launcher of a scheduler registrar's contract: at its own path, in snake_case.
 *
 * @param launcher answers {@code POST /api/v1/run-launcher/start}
 */
public record RunLauncherRoutes(Function<Request, Reply> launcher) {
  public List<Route> routes() {
    return List.of(
        Route.post("/run-launcher/start", Role.OPERATOR, "startRegisteredWorkflow")
            .reach(Reach.SCOPE)
            .summary("Start a workflow; the same idempotency key starts it once")
            .takes("RunLauncherStart")
            .answers(200, "Launched")
            .answers(202, "Launched", this::start));
  }

  Reply start(Request request) {
    JsonFields fields = JsonFields.of(request);
    Optional<String> workflow = fields.needed("workflow_id", "say which workflow to start");
    fields.require("version", "say which version of the workflow to start");
    Optional<Long> version = fields.whole("version", 1, Integer.MAX_VALUE);
    Optional<String> user = fields.needed("user_id", "say for whom it runs");
    fields.require("scheduled_for", "say for when it was planned");
    Optional<Instant> slot = fields.instant("scheduled_for");
    Optional<String> key =
        fields.needed("idempotency_key", "give a key, so that a repeated request starts it once");
    fields.done();
    var body = new LinkedHashMap<String, Object>();
    body.put("workflowId", workflow.orElseThrow());
    body.put("version", version.orElseThrow());
    body.put("userId", user.orElseThrow());
    body.put("scheduledFor", ContractText.of(slot.orElseThrow()));
    body.put("idempotencyKey", key.orElseThrow());
    return launcher.apply(request.body(Json.write(body)));
  }
}
