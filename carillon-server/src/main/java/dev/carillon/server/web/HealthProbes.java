package dev.carillon.server.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The questions an orchestrator asks: does the process live, and can it do its work. Threads and
 * connections are kept for them, and none waits: all who ask for readiness meanwhile share one
 * answer.
 */
public final class HealthProbes {
  private static final int IDLE_SECONDS = 10;

  private final Supplier<List<String>> reasonsAgainst;
  private final ThreadPoolExecutor asking =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DaemonThreads.called("carillon-readyz"));
  private CompletableFuture<Reply> underWay = CompletableFuture.completedFuture(Reply.done());

  /**
   * Answer what orchestrators ask.
   *
   * @param reasonsAgainst returns what is wrong at the time of asking
   */
  public HealthProbes(Supplier<List<String>> reasonsAgainst) {
    this.reasonsAgainst = reasonsAgainst;
    asking.allowCoreThreadTimeOut(true);
  }

  /** Return the routes, which need no sign-in. */
  public List<Route> routes() {
    return List.of(
        Route.get("/healthz", Role.OPEN, "isAlive")
            .summary("Return whether the process lives")
            .reserved()
            .answers(200, "Liveness", this::live),
        Route.get("/readyz", Role.OPEN, "isReady")
            .summary("Return whether it can do its work")
            .reserved()
            .answers(200, "Readiness")
            .answers(503, "Readiness", this::ready));
  }

  Reply live(Request request) {
    return Reply.ok(Map.of("status", "ok"));
  }

  Reply ready(Request request) {
    return Reply.later(shared(), () -> {});
  }

  private synchronized CompletableFuture<Reply> shared() {
    if (underWay.isDone()) {
      underWay = CompletableFuture.supplyAsync(this::readiness, asking);
    }
    return underWay;
  }

  private Reply readiness() {
    List<String> reasons = reasonsAgainst.get();
    return reasons.isEmpty()
        ? Reply.ok(Map.of("status", "ready"))
        : Reply.json(503, Map.of("status", "not ready", "reasons", reasons));
  }
}
