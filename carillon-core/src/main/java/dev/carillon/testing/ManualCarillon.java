package dev.carillon.testing;

import dev.carillon.Carillon;
import dev.carillon.CarillonBuilder;
import dev.carillon.Runs;
import dev.carillon.Schedules;
import dev.carillon.engine.Engine;
import dev.carillon.engine.Step;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.target.Handler;
import dev.carillon.target.TransactionalHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A scheduler without threads, whose time is moved by hand: nothing happens until a method is
 * called, and then all of it, on the calling thread.
 *
 * <pre>{@code
 * var clock = TestClock.at("2026-03-01T00:00:00Z");
 * var carillon = ManualCarillon.on(dataSource).clock(clock).target("report", report).start();
 * carillon.schedules().create(ScheduleDraft.named("nightly").target("report").cron("0 2 * * *"));
 *
 * carillon.pass(Duration.ofDays(1));      // a day passes while it runs
 *
 * clock.advance(Duration.ofDays(3));      // three days pass while it does not
 * carillon.runDue();
 * }</pre>
 */
public final class ManualCarillon implements AutoCloseable {
  private static final int MAX_TURNS = 100_000;
  private static final Set<EngineLoop> IN_TURN =
      EnumSet.range(EngineLoop.HEARTBEAT, EngineLoop.PULLING);

  /* What is due and was not claimed is locked by another node for now. */
  private static final Duration RETRY_REST = Duration.ofMillis(20);

  private final TestClock clock;
  private final Carillon carillon;
  private final Engine engine;
  private final Events events;

  private ManualCarillon(TestClock clock, Carillon carillon, Engine engine, Events events) {
    this.clock = clock;
    this.carillon = carillon;
    this.engine = engine;
    this.events = events;
  }

  /** Begin to describe a scheduler on {@code source}. */
  public static Draft on(DataSource source) {
    // While runs are in flight, time moves by at most this much before they are looked at again.
    return new Draft(Carillon.builder().dataSource(source).poll(Duration.ofSeconds(5)));
  }

  /** What the scheduler is to be like. */
  public static final class Draft {
    private final CarillonBuilder builder;
    private TestClock clock = TestClock.at("2026-01-01T00:00:00Z");

    /* Nothing but the clock decides when a run is claimed. */
    private Draft(CarillonBuilder builder) {
      this.builder = builder.claimAhead(Duration.ZERO);
    }

    /** Follow {@code clock}; 2026-01-01T00:00:00Z and moved by {@link #pass} alone unless said. */
    public Draft clock(TestClock clock) {
      this.clock = clock;
      return this;
    }

    /** Run {@code handler} for runs with this label. */
    public Draft target(String label, Handler handler) {
      builder.target(label, handler);
      return this;
    }

    /** Run {@code handler}, whose writes commit together with the success of the run. */
    public Draft transactional(String label, TransactionalHandler handler) {
      builder.transactionalTarget(label, handler);
      return this;
    }

    /** Describe the rest as for a real one. */
    public Draft with(Consumer<CarillonBuilder> settings) {
      settings.accept(builder);
      return this;
    }

    /** Bring the schema up to date and join the cluster. */
    public ManualCarillon start() {
      var events = new Events();
      var engine = new AtomicReference<Engine>();
      builder.listener(events);
      Carillon carillon = builder.buildManual(clock, Runnable::run, engine::set);
      carillon.start();
      return new ManualCarillon(clock, carillon, Objects.requireNonNull(engine.get()), events);
    }
  }

  private static final class Events implements Listener {
    private final List<Event> all = new ArrayList<>();

    @Override
    public synchronized void on(Event event) {
      all.add(event);
    }

    synchronized List<Event> copy() {
      return List.copyOf(all);
    }

    synchronized int size() {
      return all.size();
    }
  }

  /** Return the schedules. */
  public Schedules schedules() {
    return carillon.schedules();
  }

  /** Return the runs. */
  public Runs runs() {
    return carillon.runs();
  }

  /** Return the scheduler itself. */
  public Carillon carillon() {
    return carillon;
  }

  /** Return what happened so far, oldest first. */
  public List<Event> events() {
    return events.copy();
  }

  /** Plan, claim, run and record all there is to do now. */
  public ManualCarillon runDue() {
    for (int turns = 0; turns < MAX_TURNS; turns++) {
      int before = events.size();
      IN_TURN.forEach(engine::turn);
      if (events.size() == before) {
        return this;
      }
    }
    throw new IllegalStateException("still busy after " + MAX_TURNS + " turns");
  }

  /**
   * Let time pass while the scheduler runs: every run starts when it is due. Stretches in which
   * nothing is due are jumped over.
   */
  public ManualCarillon pass(Duration time) {
    Instant end = clock.instant().plus(time);
    runDue();
    while (clock.instant().isBefore(end)) {
      Duration left = Duration.between(clock.instant(), end);
      Duration idle = engine.clockJumps().untilNextWork(left);
      Duration step = idle.isZero() ? Step.shorter(left, RETRY_REST) : idle;
      engine.clockJumps().stayAlive(step);
      clock.advance(step);
      runDue();
    }
    return this;
  }

  /** Take one turn of {@code loop}, now; of all but signals, clock and supervision. */
  public Duration turn(EngineLoop loop) {
    return engine.turn(loop);
  }

  /** Leave the cluster. */
  @Override
  public void close() {
    carillon.close();
  }
}
