package dev.carillon.targets.workflow;

import dev.carillon.json.Json;
import dev.carillon.model.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an executor is handed.
 *
 * @param workflow the version of the workflow, with its graph
 * @param context for whom, for when and as what
 */
public record Launch(Workflow workflow, LaunchContext context) {
  /** What every launch comes from. */
  public static final String SOURCE = "schedule";

  /** Return the context by the names an executor knows. */
  public Map<String, @Nullable Object> meta() {
    var meta = new LinkedHashMap<String, @Nullable Object>();
    meta.put("source", SOURCE);
    meta.put("user_id", context.userId());
    meta.put("scheduled_for", context.scheduledFor().toString());
    meta.put("idempotency_key", context.idempotencyKey());
    meta.put("workflow_id", workflow.id());
    meta.put("version", workflow.version());
    meta.put("run_id", context.run().map(Object::toString).orElse(null));
    meta.put("attempt", context.attempt());
    return meta;
  }

  /** Return the graph and its context as one JSON object. */
  public String json() {
    // The graph is JSON already; written again, it could be nested one level too deep.
    return "{\"dag\":" + workflow.dag() + ",\"context\":" + Json.write(meta()) + "}";
  }
}
