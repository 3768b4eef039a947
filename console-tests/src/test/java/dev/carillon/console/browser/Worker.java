package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;

/** Does runs of targets of type {@code worker} as it is told. */
final class Worker {
  private final RealServer server;
  private final String target;

  /** Define {@code target}, and work for it. */
  Worker(RealServer server, String target) {
    this.server = server;
    this.target = target;
    server.put("/targets/" + target, "{\"type\": \"worker\"}");
  }

  /** Ask for a run, and return its id; {@code more} are further members of the request. */
  String asks(String payload, String more) {
    return server
        .post("/runs", "{\"target\": \"%s\", \"payload\": %s%s}".formatted(target, payload, more))
        .path("id")
        .asText();
  }

  /** Fetch the next run. */
  JsonNode fetches() {
    return server
        .post(
            "/workers/claim",
            "{\"worker\": \"w\", \"targets\": [\"%s\"], \"max\": 1, \"wait\": \"PT10S\"}"
                .formatted(target))
        .at("/runs/0");
  }

  /** Say how a run ended. */
  void says(JsonNode claim, String outcome) {
    server.post(
        "/workers/complete",
        "[{\"id\": \"%s\", \"attempt\": %s, \"fence\": \"%s\", %s}]"
            .formatted(
                claim.path("id").asText(),
                claim.path("attempt").asInt(),
                claim.path("fence").asText(),
                outcome));
  }

  /** Fetch the next run, and fail it. */
  void fails(String code, String message, String details) {
    says(
        fetches(),
        "\"outcome\": \"failed\", \"failure\": {\"code\": \"%s\", \"message\": \"%s\", \"details\": \"%s\"}"
            .formatted(code, message, details));
  }

  /** Ask for a run, fail it for good, and return its id. */
  String asksAndFails(String payload, String code, String message, String details) {
    String id = asks(payload, ", \"retry\": {\"attempts\": 1}");
    fails(code, message, details);
    server.once("/runs/" + id, run -> run.path("state").asText().equals("failed"));
    return id;
  }
}
