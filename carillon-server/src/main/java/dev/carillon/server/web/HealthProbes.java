package dev.carillon.server.web;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The questions an orchestrator asks: does the process live, and can it do its work.
 *
 * @param reasonsAgainst returns what is wrong at the time of asking
 */
public record HealthProbes(Supplier<List<String>> reasonsAgainst) {
  /** Return the routes, which need no sign-in. */
  public List<Route> routes() {
    return List.of(
        Route.get("/healthz", Role.OPEN, "isAlive")
            .summary("Return whether the process lives")
            .answers(200, "Liveness", this::live),
        Route.get("/readyz", Role.OPEN, "isReady")
            .summary("Return whether it can do its work")
            .answers(200, "Readiness")
            .answers(503, "Readiness", this::ready));
  }

  Reply live(Request request) {
    return Reply.ok(Map.of("status", "ok"));
  }

  Reply ready(Request request) {
    List<String> reasons = reasonsAgainst.get();
    return reasons.isEmpty()
        ? Reply.ok(Map.of("status", "ready"))
        : Reply.json(503, Map.of("status", "not ready", "reasons", reasons));
  }
}
