package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.jdbc.Announcements;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loops and threads around an engine, started and stopped together. */
public final class Runner {
  private static final Logger LOG = LoggerFactory.getLogger(Runner.class);
  private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(2);

  /* Longer than pools and drivers wait for a database that does not answer. */
  private static final Duration MIN_TURN_LIMIT = Duration.ofMinutes(1);
  private static final Duration LONG_TURN = Duration.ofHours(1);

  /* A node that comes back has the lease to itself again before most of another is over. */
  private static final int LEASES_PART = 3;

  private final Engine engine;
  private final EngineSettings settings;
  private final DatabaseClock time;
  private final ExecutorService workers;
  private final WakeUpSignals wakeUpSignals;
  private final Map<EngineLoop, Loop> loops = new EnumMap<>(EngineLoop.class);
  private final LoopSupervisor supervisor = new LoopSupervisor();
  private boolean started;
  private boolean stopped;

  public Runner(
      Engine engine,
      EngineSettings settings,
      DatabaseClock time,
      ExecutorService workers,
      Announcements announcements,
      Consumer<Event> events) {
    this.engine = engine;
    this.settings = settings;
    this.time = time;
    this.workers = workers;
    this.wakeUpSignals = new WakeUpSignals(announcements, engine.wakeups());
    engine.steps().forEach((loop, step) -> add(loop, step, time, events));
    add(EngineLoop.SIGNALS, wakeUpSignals, time, events);
    add(EngineLoop.CLOCK, now -> syncClock(), time, events);
    add(EngineLoop.SUPERVISION, supervisor, time, events);
    engine.health().watchedBy(supervisor::reasons);
  }

  private void add(EngineLoop name, Step step, InstantSource time, Consumer<Event> events) {
    long seed = engine.owner().id().getLeastSignificantBits();
    Loop loop =
        new Loop(name, step, time, events)
            .backingOff(settings.lease().dividedBy(LEASES_PART), seed);
    loops.put(name, loop);
    supervisor.add(name, loop, name == EngineLoop.HOUSEKEEPING ? LONG_TURN : longestTurn());
    engine.wakeups().add(name, loop::wake);
  }

  private Duration longestTurn() {
    Duration leases = settings.lease().multipliedBy(2);
    return leases.compareTo(MIN_TURN_LIMIT) > 0 ? leases : MIN_TURN_LIMIT;
  }

  /* No other loop looks whether supervision itself goes on. */
  Duration syncClock() {
    Optional.ofNullable(loops.get(EngineLoop.SUPERVISION)).ifPresent(Loop::revive);
    Optional<ClockStep> before = time.lastStep();
    time.sync();
    if (!time.lastStep().equals(before)) {
      engine.wakeups().wake(EngineLoop.HEARTBEAT);
    }
    return settings.heartbeat();
  }

  /** Join the cluster, then start; a database that cannot be reached is an exception here. */
  public synchronized void start() {
    if (stopped) {
      throw new IllegalStateException(
          "a scheduler that was closed does not start again; build another");
    }
    if (started) {
      return;
    }
    time.sync();
    engine.housekeeping().prepareAtStart();
    engine.turn(EngineLoop.HEARTBEAT);
    started = true;
    loops.values().forEach(Loop::start);
  }

  /**
   * Stop: claim nothing more, give back what has not started, wait for what runs, write it down and
   * leave. Safe to call twice, or before start.
   */
  public synchronized void stop() {
    boolean running = started && !stopped;
    stopped = true;
    if (!running) {
      workers.shutdownNow();
      return;
    }
    close(
        List.of(
            EngineLoop.SIGNALS, EngineLoop.PLANNING, EngineLoop.CLAIMING, EngineLoop.LAUNCHING));
    tryLast("give unstarted runs back", engine.departure()::giveBack);
    awaitWork(settings.drain());
    if (engine.inHand() > 0) {
      engine.departure().interrupt();
      awaitWork(INTERRUPT_GRACE);
    }
    close(loops.keySet());
    tryLast("write the last ends of runs", () -> engine.turn(EngineLoop.COMPLETION));
    tryLast("leave the cluster", engine.departure()::leave);
    wakeUpSignals.close();
    workers.shutdownNow();
  }

  /* Ended together, awaited one by one: each turn may wait for a database that does not answer. */
  private void close(Collection<EngineLoop> names) {
    List<Loop> some = names.stream().map(loops::get).filter(Objects::nonNull).toList();
    some.forEach(Loop::end);
    some.forEach(Loop::close);
  }

  /* The database may not answer when a node stops; its lease then ends by itself. */
  private static void tryLast(String what, Runnable last) {
    try {
      last.run();
    } catch (RuntimeException e) {
      ThrowableText.log(
          LOG, "the node stops and could not " + what + ", so others recover its runs", e);
    }
  }

  private void awaitWork(Duration most) {
    long until = System.nanoTime() + most.toNanos();
    try {
      while (engine.inHand() > 0 && System.nanoTime() < until) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
