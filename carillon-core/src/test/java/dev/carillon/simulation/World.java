package dev.carillon.simulation;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Gen;
import dev.carillon.simulation.Journal.Kind;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.run.Owner;
import dev.carillon.testing.TestClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/** The cluster of a story: its clock, its nodes, and who is in the middle of what. */
final class World {
  private static final Instant BEGINNING = Instant.parse("2026-03-29T00:40:00Z");
  private static final int DEEPEST = 2;
  /* Clocks differ by less than 500 ppm: DatabaseTime stands that. */
  private static final int MAX_DRIFT = 400;

  private final Gen gen;
  private final Connections connections;
  private final Plant plant;
  private final Journal journal;
  private final Faults faults;
  private final TestClock clock = TestClock.at(BEGINNING);
  private final List<Effect> effects = new ArrayList<>();
  private final List<SimNode> nodes = new ArrayList<>();
  private final Deque<SimNode> busy = new ArrayDeque<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Witness witness;
  private final Outside outside;
  private final List<SimWorker> workers;
  private SimNode user;
  private int born;
  private boolean news;
  private Runnable meanwhile = () -> {};

  World(Gen gen, Connections connections, Plant plant, Journal journal, int trouble) {
    this.gen = gen;
    this.connections = connections;
    this.plant = plant;
    this.journal = journal;
    this.faults = new Faults(gen, journal, this::interleave, trouble);
    this.witness = new Witness(connections);
    this.outside = new Outside(this);
    this.workers = List.of(new SimWorker(this, "worker-1"), new SimWorker(this, "worker-2"));
    this.user = new SimNode(this, "user", ticks());
  }

  /** Let {@code action} happen while a node is in the middle of a step. */
  void meanwhile(Runnable action) {
    meanwhile = action;
  }

  private void interleave(SimNode node) {
    if (busy.size() <= DEEPEST) {
      journal.count(Kind.INTERLEAVING);
      meanwhile.run();
    }
  }

  /* The local clock of a node shows any time and is a little too fast or too slow. */
  private LongSupplier ticks() {
    long offset = gen.number(0L, 1L << 40);
    long drift = gen.number(-MAX_DRIFT, MAX_DRIFT);
    return () -> {
      long passed = clock.nanos();
      return offset + passed + passed / 1_000_000 * drift;
    };
  }

  void join() {
    var node = new SimNode(this, "node-" + ++born, ticks());
    nodes.add(node);
    say("%s begins", node);
    turn(node, EngineLoop.HEARTBEAT);
  }

  /** Turn a step of a node; whatever comes of it, the story goes on. */
  void turn(SimNode node, EngineLoop step) {
    journal.count(Kind.STEP);
    act(node, step.word(), () -> node.engine().turn(step));
  }

  /** Let a node do something, unless it is in the middle of something else. */
  void act(SimNode node, String what, Runnable action) {
    if (busy.contains(node) || node.isDead()) {
      return;
    }
    busy.push(node);
    try {
      action.run();
      say("%s %s", node, what);
    } catch (SimulatedCrash crash) {
      say("%s %s: crashed", node, what);
      journal.count(Kind.CRASH);
      news = true;
      remove(node);
    } catch (StoreException e) {
      failed(node, what, e);
    } catch (IllegalArgumentException refused) {
      say("%s %s: refused, %s", node, what, String.valueOf(refused.getMessage()));
    } catch (RuntimeException e) {
      broken("no errors", "%s %s: %s".formatted(node, what, e));
    } finally {
      busy.pop();
    }
    if (busy.isEmpty() && news) {
      witness.look(violations);
      news = false;
    }
  }

  private void failed(SimNode node, String what, StoreException e) {
    news = true;
    say("%s %s: failed, %s", node, what, String.valueOf(e.getMessage()));
    if (e.sqlState().filter("55P03"::equals).isPresent()) {
      journal.count(Kind.LOCK_CONFLICT);
    }
    if (!e.isTransient()) {
      broken("no errors", "%s %s: %s".formatted(node, what, e.getMessage()));
    }
  }

  void broken(String law, String what) {
    violations.add(new Violation(law, what));
  }

  void heard(SimNode node, Event event) {
    if (event instanceof Event.Started) {
      journal.count(Kind.START);
    } else if (event instanceof Event.Fenced) {
      journal.count(Kind.FENCED);
    } else if (event instanceof Event.Accepted accepted) {
      accepted(node, accepted);
    } else if (event instanceof Event.NodeLost lost) {
      lost(node, lost);
    }
    news = true;
    say("  %s: %s", node, event);
  }

  /* A node that holds its lease, and not for its last moment, has its runs to itself. */
  private void lost(SimNode finder, Event.NodeLost event) {
    nodes.stream()
        .filter(node -> node.engine().owner().equals(new Owner(event.node(), event.epoch())))
        .filter(SimNode::surelyHolds)
        .filter(node -> !finder.beganAfterTheStepThatEnded(node))
        .filter(node -> !node.renewedByOldClock())
        .forEach(node -> broken("leases are kept", "%s was taken for dead".formatted(node)));
  }

  private void accepted(SimNode node, Event.Accepted event) {
    Instant now = clock.instant();
    UUID id = node.engine().owner().id();
    effects.add(new Effect(event.run().id(), event.attempt(), id, now, now, Effect.What.ACCEPTED));
  }

  @SuppressWarnings("AnnotateFormatMethod")
  void say(String text, Object... details) {
    journal.say(
        "%s %s%s"
            .formatted(
                clock.instant(), "  ".repeat(Math.max(0, busy.size())), text.formatted(details)));
  }

  void advance(Duration time) {
    clock.advance(time);
  }

  /** Return when something is to be planned or started next. */
  Optional<Instant> nextDue() {
    try {
      Connection connection = connections.take();
      try {
        return Rows.read(
                connection,
                """
                select min(at) as at
                  from (select plan_by as at
                          from carillon.cursor
                         union all
                        select due_at
                          from carillon.run
                         where state = 'pending') as coming
                 where at > '%s'
                """
                    .formatted(clock.instant()),
                row -> Rows.at(row, "at"))
            .get(0);
      } finally {
        connections.giveBack(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("what is due next cannot be read", e);
    }
  }

  boolean isDeep() {
    return !busy.isEmpty();
  }

  /** Return the nodes that can act now. */
  List<SimNode> ready() {
    return nodes.stream().filter(node -> !node.isFrozen() && !busy.contains(node)).toList();
  }

  List<SimNode> nodes() {
    return List.copyOf(nodes);
  }

  void remove(SimNode node) {
    node.die();
    nodes.remove(node);
    user = user.isDead() ? new SimNode(this, "user", ticks()) : user;
  }

  SimNode user() {
    return user;
  }

  Outside outside() {
    return outside;
  }

  List<SimWorker> workers() {
    return workers;
  }

  Gen gen() {
    return gen;
  }

  TestClock clock() {
    return clock;
  }

  Connections connections() {
    return connections;
  }

  Plant plant() {
    return plant;
  }

  Journal journal() {
    return journal;
  }

  Faults faults() {
    return faults;
  }

  List<Effect> effects() {
    return effects;
  }

  List<Violation> violations() {
    return violations;
  }
}
