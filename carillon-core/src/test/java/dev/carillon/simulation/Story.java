package dev.carillon.simulation;

import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Gen;
import dev.carillon.simulation.Journal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What one seed tells: people, nodes and time, in an order nobody would think of. */
final class Story {
  private static final List<EngineLoop> STEPS =
      List.of(
          EngineLoop.PLANNING,
          EngineLoop.PLANNING,
          EngineLoop.CLAIMING,
          EngineLoop.CLAIMING,
          EngineLoop.CLAIMING,
          EngineLoop.LAUNCHING,
          EngineLoop.LAUNCHING,
          EngineLoop.COMPLETION,
          EngineLoop.COMPLETION,
          EngineLoop.RECOVERY,
          EngineLoop.TIMEOUTS,
          EngineLoop.EXPIRY,
          EngineLoop.DEADLINES,
          EngineLoop.HEARTBEAT);

  private final World world;
  private final Gen gen;
  private final Users users;
  private boolean byDays;

  Story(World world) {
    this.world = world;
    this.gen = world.gen();
    this.users = new Users(world);
    world.meanwhile(this::meanwhile);
  }

  Users users() {
    return users;
  }

  void tell(int length) {
    int size = gen.number(2, 4);
    for (int i = 0; i < size; i++) {
      world.join();
    }
    byDays = gen.percent(30);
    if (byDays) {
      users.thinkInDays();
    }
    if (byDays || gen.percent(50)) {
      users.defineRules();
    }
    for (int i = gen.number(2, 4); i > 0; i--) {
      users.create();
    }
    for (int i = 0; i < length; i++) {
      if (world.nodes().size() < size && gen.percent(15)) {
        world.join();
      }
      if (byDays && gen.percent(25)) {
        leap();
      } else {
        happen(gen.number(0, 99));
      }
      if (world.plant().freezes() && gen.percent(10)) {
        atWork().ifPresent(this::freeze);
      }
    }
  }

  /** Let hours or days pass until something is due, or almost. */
  private void leap() {
    Instant now = world.clock().instant();
    world
        .nextDue()
        .map(next -> Duration.between(now, next.minusSeconds(gen.number(-20, 70))))
        .filter(wait -> wait.compareTo(Duration.ofMinutes(2)) > 0)
        .filter(wait -> wait.compareTo(Duration.ofDays(5)) < 0)
        .ifPresent(
            wait -> {
              world.advance(wait);
              world.say("%s pass", wait);
            });
  }

  private void happen(int what) {
    if (what < 42) {
      beat();
    } else if (what < 66) {
      step();
    } else if (what < 78) {
      ring();
    } else if (what < 83) {
      elsewhere();
    } else if (what < 93) {
      users.act();
    } else if (what < 94) {
      outage();
    } else if (what < 95) {
      stepClock();
    } else if (what < 97) {
      some().ifPresent(this::freeze);
    } else if (what < 98) {
      some().ifPresent(this::crash);
    } else if (what < 99) {
      some().ifPresent(this::leave);
    } else {
      some().ifPresent(node -> world.turn(node, EngineLoop.HOUSEKEEPING));
    }
  }

  private java.util.Optional<SimNode> some() {
    List<SimNode> ready = world.ready();
    return ready.isEmpty() ? java.util.Optional.empty() : java.util.Optional.of(gen.oneOf(ready));
  }

  private void step() {
    some()
        .ifPresent(
            node -> {
              EngineLoop step = gen.oneOf(STEPS);
              world.turn(node, step);
              if (gen.percent(70)) {
                work(node);
              }
            });
  }

  private void work(SimNode node) {
    if (node.hasWork()) {
      int most = gen.number(1, 8);
      world.act(node, "works", () -> node.work(most));
    }
  }

  /** Let a little time pass as it does when all is well, more or less. */
  private void beat() {
    world.advance(Duration.ofMillis(gen.percent(30) ? gen.number(1, 300) : gen.number(300, 4_900)));
    for (SimNode node : world.ready()) {
      if (gen.percent(85)) {
        world.turn(node, EngineLoop.HEARTBEAT);
      }
      if (gen.percent(30) && !node.isDead()) {
        node.time().sync();
      }
    }
    step();
    step();
  }

  private java.util.Optional<SimNode> atWork() {
    var all = new ArrayList<SimNode>(world.ready());
    all.removeIf(node -> node.ringing().isEmpty());
    return all.isEmpty() ? java.util.Optional.empty() : java.util.Optional.of(gen.oneOf(all));
  }

  private void ring() {
    java.util.Optional<SimNode> ringing = atWork();
    if (ringing.isEmpty()) {
      some().ifPresent(this::work);
      return;
    }
    SimNode node = ringing.get();
    Bell.Ringing one = gen.oneOf(node.ringing());
    if (gen.percent(25)) {
      world.outside().accept(node, one);
      return;
    }
    boolean stopped = one.context().stop().isPresent();
    boolean fails = gen.percent(stopped ? 60 : 25);
    world.act(
        node,
        fails ? "fails" : "finishes",
        () -> {
          if (fails) {
            node.bell().fail(one);
          } else {
            node.bell().finish(one);
          }
        });
    if (gen.percent(60)) {
      world.turn(node, EngineLoop.COMPLETION);
    }
  }

  /** What happens to runs that are on no node. */
  private void elsewhere() {
    if (gen.percent(30)) {
      world.outside().report();
      return;
    }
    SimWorker worker = gen.oneOf(world.workers());
    some()
        .ifPresent(
            node -> {
              switch (gen.number(0, 9)) {
                case 0, 1, 2 -> worker.claim(node);
                case 3, 4, 5 -> worker.beat(node);
                case 6, 7, 8 -> worker.complete(node);
                default -> worker.restart();
              }
            });
  }

  private void outage() {
    world.advance(Duration.ofSeconds(gen.percent(80) ? gen.number(16, 90) : gen.number(90, 600)));
    world.say("time passes");
  }

  /* Only forward: what the laws compare are times by this clock. */
  private void stepClock() {
    var by = Duration.ofSeconds(gen.number(1, 60));
    world.journal().count(Kind.CLOCK_STEP);
    world.clock().step(by);
    world.say("the clock is set forward by %s", by);
  }

  private void freeze(SimNode node) {
    world.journal().count(Kind.FREEZE);
    node.freezeUntil(world.clock().instant().plusSeconds(gen.number(5, 60)));
    world.say("%s freezes", node);
  }

  private void crash(SimNode node) {
    world.journal().count(Kind.CRASH);
    world.say("%s is killed", node);
    world.remove(node);
  }

  private void leave(SimNode node) {
    world.journal().count(Kind.LEAVE);
    world.act(node, "gives back", () -> node.engine().departure().giveBack());
    if (gen.percent(50)) {
      world.act(node, "interrupts", () -> node.engine().departure().interrupt());
      node.ringing().forEach(one -> world.act(node, "fails", () -> node.bell().fail(one)));
    }
    world.turn(node, EngineLoop.COMPLETION);
    world.act(node, "leaves", () -> node.engine().departure().leave());
    world.remove(node);
  }

  /** What others do while a node is in the middle of a transaction. */
  private void meanwhile() {
    if (gen.percent(15)) {
      world.advance(
          Duration.ofMillis(gen.percent(70) ? gen.number(1, 500) : gen.number(1, 20_000)));
    }
    if (gen.percent(20)) {
      users.act();
    } else if (gen.percent(20)) {
      elsewhere();
    } else {
      step();
    }
  }
}
