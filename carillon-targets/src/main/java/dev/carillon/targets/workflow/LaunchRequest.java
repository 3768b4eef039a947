package dev.carillon.targets.workflow;

import dev.carillon.json.Json;
import dev.carillon.model.Payload;
import dev.carillon.model.Workflow;
import dev.carillon.store.workflow.WorkflowStore;
import dev.carillon.target.RunContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The launch of a workflow that the payload of a run asks for.
 *
 * @param workflow the id of the workflow
 * @param version its version; empty for the latest
 * @param input its input, as JSON
 * @param context the user, time and ids of the launch
 */
record LaunchRequest(
    String workflow, Optional<Integer> version, String input, LaunchContext context) {
  private static final String INPUT = "input";

  /* Fields about the launch itself; the rest is the input, unless there is a field for it. */
  private static final Set<String> LAUNCH_FIELDS =
      Set.of("workflow_id", "version", "user_id", "trigger_id", "scheduled_for", "idempotency_key");

  private static final String LATEST = "latest";

  /** Parse the payload of a run; the run supplies what the payload leaves out. */
  static LaunchRequest of(RunContext run) {
    Payload payload = run.payload();
    return new LaunchRequest(
        required(payload, "workflow_id"),
        version(payload.content().get("version")),
        input(payload),
        new LaunchContext(
            user(payload),
            payload.text("scheduled_for").map(LaunchRequest::instant).orElse(run.slot()),
            payload.text("idempotency_key").orElse(run.idempotencyKey()),
            Optional.of(run.id()),
            run.attempt()));
  }

  private static String input(Payload payload) {
    Map<String, @Nullable Object> content = payload.content();
    if (content.containsKey(INPUT)) {
      return Json.write(content.get(INPUT));
    }
    var rest = new LinkedHashMap<>(content);
    rest.keySet().removeAll(LAUNCH_FIELDS);
    return Json.write(rest);
  }

  private static Optional<String> user(Payload payload) {
    Object user = payload.content().get("user_id");
    if (user != null && !(user instanceof String)) {
      throw new IllegalArgumentException("user_id in the payload must be a text, or be left out");
    }
    return payload.text("user_id");
  }

  private static String required(Payload payload, String name) {
    return payload
        .text(name)
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> new IllegalArgumentException("the payload has no " + name));
  }

  private static Optional<Integer> version(@Nullable Object value) {
    if (value == null || value.equals(LATEST)) {
      return Optional.empty();
    }
    if (value instanceof Long number && number >= 1 && number <= Integer.MAX_VALUE) {
      return Optional.of(number.intValue());
    }
    throw new IllegalArgumentException(
        "version in the payload must be a whole number from 1, or latest");
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "scheduled_for in the payload must be an instant, such as 2026-01-01T00:00:00Z", e);
    }
  }

  /** Find the workflow, unless it was removed. */
  Optional<Workflow> find(WorkflowStore workflows) {
    return version
        .map(number -> workflows.find(workflow, number))
        .orElseGet(() -> workflows.latest(workflow))
        .filter(found -> found.removed().isEmpty());
  }

  /** Return the message for a workflow that does not exist. */
  String notFound() {
    return version
        .map(number -> "workflow '%s' has no version %s".formatted(workflow, number))
        .orElseGet(() -> "there is no workflow '%s'".formatted(workflow));
  }
}
