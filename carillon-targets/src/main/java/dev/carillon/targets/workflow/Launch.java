package dev.carillon.targets.workflow;

import dev.carillon.json.Json;
import dev.carillon.model.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request that an executor receives: a workflow, its input and its context.
 *
 * @param workflow the version of the workflow, with its graph
 * @param input the input of the workflow: any JSON value, as text
 * @param context the user, time and ids of the launch
 */
public record Launch(Workflow workflow, String input, LaunchContext context) {
  /** The input of a launch that has none. */
  public static final String NO_INPUT = "{}";

  /** The source of every launch. */
  public static final String SOURCE = "schedule";

  /** Return the context by the field names that executors use. */
  public Map<String, @Nullable Object> meta() {
    var meta = new LinkedHashMap<String, @Nullable Object>();
    meta.put("source", SOURCE);
    meta.put("user_id", context.userId().orElse(null));
    meta.put("scheduled_for", context.scheduledFor().toString());
    meta.put("idempotency_key", context.idempotencyKey());
    meta.put("workflow_id", workflow.id());
    meta.put("version", workflow.version());
    meta.put("run_id", context.run().map(Object::toString).orElse(null));
    meta.put("attempt", context.attempt());
    return meta;
  }

  /** Return the graph, its input and its context as one JSON object. */
  public String json() {
    // Inserted as text, since Json.write may find the deepest graphs and inputs nested too deep.
    return "{\"dag\":%s,\"input\":%s,\"context\":%s}"
        .formatted(workflow.dag(), input, Json.write(meta()));
  }
}
