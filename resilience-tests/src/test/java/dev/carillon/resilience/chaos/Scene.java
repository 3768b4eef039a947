package dev.carillon.resilience.chaos;

import dev.carillon.fixture.FaultProxy;
import dev.carillon.resilience.cluster.Cluster;
import dev.carillon.resilience.cluster.NodeProcess;
import dev.carillon.resilience.cluster.PostgresServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Where a fault is inflicted.
 *
 * @param cluster the processes
 * @param surroundings what PostgreSQL depends on
 * @param victimIndex which node it is inflicted on, if on one
 * @param hold how long it lasts, if that is not part of what it is
 */
public record Scene(Cluster cluster, Surroundings surroundings, int victimIndex, Duration hold) {
  NodeProcess victim() {
    return cluster.nodes().get(victimIndex);
  }

  FaultProxy proxyOfVictim() {
    return cluster.proxies().get(victimIndex);
  }

  PostgresServer postgres() {
    return cluster.postgres();
  }

  void pause() throws InterruptedException {
    pause(hold);
  }

  static void pause(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  /** Fail unless every node says that it is not ready, and answers a change with 503. */
  void expectUnavailable() {
    for (NodeProcess node : cluster.nodes()) {
      int ready = node.api().status("/readyz", Duration.ofSeconds(5));
      int change = node.api().send("POST", "/api/v1/runs", "{\"target\": \"noop\"}").statusCode();
      if (ready != 503 || change != 503) {
        throw new AssertionError(
            "%s: /readyz is %s and a change is answered with %s, not with 503"
                .formatted(node.name(), ready, change));
      }
    }
  }
}
