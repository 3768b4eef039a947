package dev.carillon.simulation;

import dev.carillon.Carillon;
import dev.carillon.engine.DatabaseClock;
import dev.carillon.engine.Engine;
import dev.carillon.event.Event;
import dev.carillon.store.cluster.ClusterStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** One process of the simulated cluster: an engine, its clock, its connections and its handlers. */
final class SimNode implements Wire {
  private static final Duration ALMOST_A_LEASE = Duration.ofSeconds(14);
  private static final Duration SHORTEST_STEP = Duration.ofSeconds(1);

  private final World world;
  private final String name;
  private final Engine engine;
  private final Carillon carillon;
  private final DatabaseClock time;
  private final Bell bell;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final Set<String> sent = new HashSet<>();
  private Instant frozenUntil = Instant.MIN;
  private final long bornAt;
  private long renewedAt;
  private boolean renewedByOldClock;
  private boolean dead;

  SimNode(World world, String name, LongSupplier ticks) {
    this.world = world;
    this.name = name;
    this.bornAt = world.clock().nanos();
    this.time = new DatabaseClock(world.clock()::instant, ticks);
    var hand = new ArrayList<Engine>();
    this.bell = new Bell(world.clock(), () -> hand.get(0).owner().id(), world.effects());
    this.carillon =
        Carillon.builder()
            .dataSource(new WiredSource(world.connections(), this))
            .migrate(false)
            .nodeName(name)
            .lookahead(Duration.ofSeconds(60))
            .claimAhead(Duration.ofSeconds(40)) // two seconds of it at least
            .heartbeat(Duration.ofSeconds(5))
            .lease(Duration.ofSeconds(15))
            .concurrency(8)
            .catchUpPerTick(3) // so that catching up takes several turns
            .listener(this::heard)
            .asyncTarget("bell", bell)
            .asyncTarget("chime", bell, 2)
            .remoteTarget(SimWorker.TARGET)
            .acceptedTimeout(Duration.ofSeconds(40))
            .buildManual(world.plant().clock(time), queue::add, hand::add);
    this.engine = hand.get(0);
  }

  private void heard(Event event) {
    world.heard(this, event);
  }

  Engine engine() {
    return engine;
  }

  Carillon carillon() {
    return carillon;
  }

  DatabaseClock time() {
    return time;
  }

  List<Bell.Ringing> ringing() {
    return bell.ringing();
  }

  Bell bell() {
    return bell;
  }

  /** Call the targets of up to {@code most} runs that were handed to the workers. */
  void work(int most) {
    for (int i = 0; i < most && !queue.isEmpty(); i++) {
      queue.remove().run();
    }
  }

  boolean hasWork() {
    return !queue.isEmpty();
  }

  void freezeUntil(Instant until) {
    frozenUntil = until;
  }

  /** Tell whether it has a lease that ends in more than a moment. */
  boolean surelyHolds() {
    return !dead
        && world.clock().nanos() - renewedAt < ALMOST_A_LEASE.toNanos()
        && !carillon.nodeProblems().contains(ClusterStats.NOT_RUNNING);
  }

  /* What began after the clock was set cannot know of it until the others have noticed and renewed. */
  boolean beganAfterTheStepThatEnded(SimNode other) {
    return world
        .clock()
        .lastStep()
        .filter(step -> bornAt >= step.nanos())
        .filter(step -> other.renewedAt <= step.nanos() || other.renewedByOldClock)
        .isPresent();
  }

  /* Whoever has not read the clock since it was set, as it was frozen, renews for too short a time. */
  boolean renewedByOldClock() {
    return renewedByOldClock;
  }

  boolean isFrozen() {
    return world.clock().instant().isBefore(frozenUntil);
  }

  void die() {
    dead = true;
    queue.clear();
    bell.fallSilent();
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  @Override
  public SimulatedCrash crash() {
    return new SimulatedCrash(name);
  }

  @Override
  public String text(String sql) {
    sent.add(sql);
    if (sql.contains("lease_until > seen_at")) {
      renewedAt = world.clock().nanos();
      renewedByOldClock = time.instant().plus(SHORTEST_STEP).isBefore(world.clock().instant());
    }
    return world.plant().text(sql);
  }

  @Override
  public boolean splits(String sql) {
    return world.plant().splits(sql);
  }

  @Override
  public Fate statement(boolean commits) {
    Fate fate = world.faults().statement(this, commits);
    if (commits) {
      sent.clear();
    }
    return fate;
  }

  @Override
  public Fate commit() {
    Fate planted = world.plant().fate(sent);
    sent.clear();
    return world.faults().commit(this, planted);
  }

  @Override
  public String toString() {
    return name;
  }
}
