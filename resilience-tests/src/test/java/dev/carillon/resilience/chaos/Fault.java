package dev.carillon.resilience.chaos;

import dev.carillon.fixture.FaultProxy;
import dev.carillon.resilience.cluster.NodeProcess;
import dev.carillon.resilience.cluster.PostgresServer.Stop;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;

/** What goes wrong, how it is inflicted, and how late it may make a run. */
public enum Fault {
  KILL("`kill -9` of a node, which is started again", Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.victim().kill();
      scene.victim().start();
      scene.victim().awaitStart();
    }
  },
  KILL_ALL("`kill -9` of all nodes, which are started again", Reach.ALL_NODES) {
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
  FREEZE("a node is frozen for 3 s, less than its lease", Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      freeze(scene, Duration.ofSeconds(3));
    }
  },
  FREEZE_PAST_LEASE("a node is frozen for 4 s longer than its lease", Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      freeze(scene, PAST_LEASE);
    }

    /* A process that wakes up sends what it was about to send. */
    @Override
    boolean promisesNoOverlap() {
      return false;
    }
  },
  DELAY("each round trip to the database takes 200 ms more", Reach.SLOWER) {
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
  CUT("all connections are cut, five times in a second", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      for (int i = 0; i < 5; i++) {
        scene.cluster().proxies().forEach(FaultProxy::cut);
        Scene.pause(Duration.ofMillis(200));
      }
    }
  },
  HALF_CLOSE("all connections end in one direction only", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.cluster().proxies().forEach(FaultProxy::halfClose);
      scene.pause();
    }
  },
  REFUSED("connections of a node are cut and new ones refused", Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.proxyOfVictim().refuse(true);
      scene.proxyOfVictim().cut();
      scene.pause();
      scene.proxyOfVictim().refuse(false);
    }
  },
  DROPPED(
      "what a node and the database send is lost, then the connections are cut", Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.proxyOfVictim().drop(true);
      scene.pause();
      scene.proxyOfVictim().drop(false);
      scene.proxyOfVictim().cut();
    }
  },
  PARTITION(
      "nothing passes between a node and the database for 3 s, less than its lease",
      Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      partition(scene, Duration.ofSeconds(3));
    }
  },
  PARTITION_PAST_LEASE(
      "nothing passes between a node and the database for 4 s longer than its lease",
      Reach.ONE_NODE) {
    @Override
    public void inflict(Scene scene) throws Exception {
      partition(scene, PAST_LEASE);
    }
  },
  LOST_ACKNOWLEDGEMENTS(
      "commits happen and the node is not told, 20 times on each node", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.cluster().proxies().forEach(proxy -> proxy.swallowCommits(20));
      scene.pause();
      scene.cluster().proxies().forEach(FaultProxy::swallowNothing);
    }
  },
  TERMINATED_BACKENDS(
      "`pg_terminate_backend` of all connections, twice a second", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      long end = System.nanoTime() + scene.hold().toNanos();
      while (System.nanoTime() < end) {
        scene.postgres().terminateConnections();
        Scene.pause(Duration.ofMillis(500));
      }
    }
  },
  NO_FREE_CONNECTION("others take all connections that PostgreSQL has", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      var taken = new ArrayList<Connection>();
      long end = System.nanoTime() + scene.hold().toNanos();
      try {
        scene.postgres().terminateConnections();
        while (System.nanoTime() < end) {
          try {
            taken.add(scene.postgres().connectAsNode());
          } catch (SQLException full) {
            Scene.pause(Duration.ofMillis(50));
          }
        }
      } finally {
        for (Connection connection : taken) {
          connection.close();
        }
      }
    }
  },
  READ_ONLY("the database is read-only", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.postgres().readOnly(true);
      try {
        scene.pause();
        scene.expectUnavailable();
      } finally {
        scene.postgres().readOnly(false);
      }
    }
  },
  RESTART("PostgreSQL shuts down and starts again", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.postgres().stop(Stop.FAST);
      scene.pause();
      scene.postgres().start();
    }
  },
  CRASH("PostgreSQL stops without shutting down, and recovers", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.postgres().stop(Stop.IMMEDIATE);
      scene.pause();
      scene.postgres().start();
    }
  },
  PROMOTION("the primary dies, and its synchronous standby takes its place", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) {
      scene.surroundings().promoteStandby(scene.cluster());
    }

    @Override
    Setup setup() {
      return Setup.STANDBY;
    }
  },
  FULL_DISK("the disk of the database is full, and has room again", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.surroundings().fillDisk();
      try {
        scene.pause();
      } finally {
        scene.surroundings().clearDisk();
        scene.postgres().startIfDown();
      }
    }

    @Override
    Setup setup() {
      return Setup.SMALL_DISK;
    }
  },
  CLOCK_FORWARD("the clock of the database is set 40 s forward", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.surroundings().stepClock(Duration.ofSeconds(40));
      scene.pause();
    }

    @Override
    Setup setup() {
      return Setup.STEPPED_CLOCK;
    }
  },
  CLOCK_BACK("the clock of the database is set 40 s back", Reach.ALL_NODES) {
    @Override
    public void inflict(Scene scene) throws Exception {
      scene.surroundings().stepClock(Duration.ofSeconds(-40));
      scene.pause();
    }

    @Override
    Setup setup() {
      return Setup.STEPPED_CLOCK;
    }
  };

  /** Whom a fault keeps from working, which says how late runs may become. */
  enum Reach {
    ONE_NODE("no run later than the lease"),
    ALL_NODES("no run later than the fault and the lease"),
    SLOWER("no run later than 1.5 s");

    private final String promise;

    Reach(String promise) {
      this.promise = promise;
    }
  }

  private static final Duration PAST_LEASE = NodeProcess.LEASE.plusSeconds(4);

  private final String words;
  private final Reach reach;

  Fault(String words, Reach reach) {
    this.words = words;
    this.reach = reach;
  }

  /** Return what goes wrong, as the page on reliability has it. */
  public String words() {
    return words;
  }

  /** Let it happen and end: afterwards everything is as it should be. */
  public abstract void inflict(Scene scene) throws Exception;

  /** Return what must be there for it to be inflicted. */
  Setup setup() {
    return Setup.PLAIN;
  }

  boolean promisesNoOverlap() {
    return true;
  }

  /** Return what is promised beside that no slot is lost, doubled or early, in words. */
  String promise() {
    return promisesNoOverlap() ? "no overlap, " + reach.promise : reach.promise;
  }

  /** Return how late a run may start if the fault lasted for {@code elapsed}. */
  Duration allowedLateness(Duration elapsed, Duration slack) {
    return switch (reach) {
      case ONE_NODE -> NodeProcess.LEASE.plus(slack);
      case ALL_NODES -> elapsed.plus(NodeProcess.LEASE).plus(slack);
      case SLOWER -> Duration.ofMillis(1500);
    };
  }

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
