package dev.carillon.resilience.chaos;

import dev.carillon.fixture.FaultProxy;
import dev.carillon.resilience.cluster.NodeProcess;
import dev.carillon.resilience.cluster.PostgresServer.Stop;
import java.time.Duration;

/** What goes wrong, how it is inflicted, and what it may cost. */
public enum Fault {
  KILL("`kill -9` of a node, which is started again") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.victim().kill();
      scene.victim().start();
      scene.victim().awaitStart();
    }
  },
  KILL_ALL("`kill -9` of all nodes, which are started again") {
    @Override
    public void inflict(Scene scene) throws Exception {
      for (NodeProcess node : scene.cluster().nodes()) {
        node.kill();
      }
      for (NodeProcess node : scene.cluster().nodes()) {
        node.start();
      }
      for (NodeProcess node : scene.cluster().nodes()) {
        node.awaitStart();
      }
    }
  },
  FREEZE("a node is frozen for 3 s, less than its lease") {
    @Override
    public void inflict(Scene scene) throws Exception {
      freeze(scene, Duration.ofSeconds(3));
    }
  },
  FREEZE_PAST_LEASE("a node is frozen for 4 s longer than its lease") {
    @Override
    public void inflict(Scene scene) throws Exception {
      freeze(scene, PAST_LEASE);
    }
  },
  DELAY("each round trip to the database takes 200 ms more") {
    @Override
    public void inflict(Scene scene) throws Exception {
      for (FaultProxy proxy : scene.cluster().proxies()) {
        proxy.delay(Duration.ofMillis(200));
      }
      scene.pause();
      for (FaultProxy proxy : scene.cluster().proxies()) {
        proxy.delay(Duration.ZERO);
      }
    }
  },
  CUT("all connections are reset, five times in a second") {
    @Override
    public void inflict(Scene scene) throws Exception {
      for (int i = 0; i < 5; i++) {
        scene.cluster().proxies().forEach(FaultProxy::cut);
        Scene.pause(Duration.ofMillis(200));
      }
    }
  },
  HALF_CLOSE("all connections end in one direction only") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.cluster().proxies().forEach(FaultProxy::halfClose);
      scene.pause();
    }
  },
  REFUSED("connections of a node are reset and new ones refused") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.proxyOfVictim().refuse(true);
      scene.proxyOfVictim().cut();
      scene.pause();
      scene.proxyOfVictim().refuse(false);
    }
  },
  PARTITION("nothing passes between a node and the database for 3 s, less than its lease") {
    @Override
    public void inflict(Scene scene) throws Exception {
      partition(scene, Duration.ofSeconds(3));
    }
  },
  PARTITION_PAST_LEASE(
      "nothing passes between a node and the database for 4 s more than its lease") {
    @Override
    public void inflict(Scene scene) throws Exception {
      partition(scene, PAST_LEASE);
    }
  },
  LOST_ACKNOWLEDGEMENTS("commits happen, and the node is not told: 20 times on each node") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.cluster().proxies().forEach(proxy -> proxy.swallowCommits(20));
      scene.pause();
      scene.cluster().proxies().forEach(FaultProxy::swallowNothing);
    }
  },
  TERMINATED_BACKENDS("`pg_terminate_backend` of all connections, twice a second") {
    @Override
    public void inflict(Scene scene) throws Exception {
      long end = System.nanoTime() + scene.hold().toNanos();
      while (System.nanoTime() < end) {
        scene.postgres().terminateConnections();
        Scene.pause(Duration.ofMillis(500));
      }
    }
  },
  RESTART("PostgreSQL shuts down and starts again") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.postgres().stop(Stop.FAST);
      scene.pause();
      scene.postgres().start();
    }
  },
  CRASH("PostgreSQL stops without shutting down, and recovers") {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.postgres().stop(Stop.IMMEDIATE);
      scene.pause();
      scene.postgres().start();
    }
  };

  private static final Duration PAST_LEASE = NodeProcess.LEASE.plusSeconds(4);

  private final String words;

  Fault(String words) {
    this.words = words;
  }

  /** Return what goes wrong, as the page on reliability has it. */
  public String words() {
    return words;
  }

  /** Let it happen and end: afterwards everything is as it should be. */
  public abstract void inflict(Scene scene) throws Exception;

  private static void freeze(Scene scene, Duration time) throws InterruptedException {
    scene.victim().freeze();
    Scene.pause(time);
    scene.victim().thaw();
  }

  private static void partition(Scene scene, Duration time) throws InterruptedException {
    scene.proxyOfVictim().hold();
    Scene.pause(time);
    scene.proxyOfVictim().release();
  }
}
