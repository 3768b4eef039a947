package dev.carillon.server;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The questions an orchestrator asks: does the process live, and can it do its work. */
final class Health {
  private final Supplier<List<String>> reasonsAgainst;

  /** Answer with what {@code reasonsAgainst} finds wrong at the time of asking. */
  Health(Supplier<List<String>> reasonsAgainst) {
    this.reasonsAgainst = reasonsAgainst;
  }

  List<Route> routes() {
    return List.of(Route.get("/healthz", this::live), Route.get("/readyz", this::ready));
  }

  Reply live(Request request) {
    return Reply.json(200, Map.of("status", "ok"));
  }

  Reply ready(Request request) {
    List<String> reasons = reasonsAgainst.get();
    return reasons.isEmpty()
        ? Reply.json(200, Map.of("status", "ready"))
        : Reply.json(503, Map.of("status", "not ready", "reasons", reasons));
  }
}
