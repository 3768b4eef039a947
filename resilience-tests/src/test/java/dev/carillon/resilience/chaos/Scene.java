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
 * @param victimIndex which node it is inflicted on, if on one
 * @param hold how long it lasts, if it lasts
 */
public record Scene(Cluster cluster, int victimIndex, Duration hold) {
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
}
