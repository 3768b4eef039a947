package dev.carillon.simulation;

import dev.carillon.fixture.Gen;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.simulation.Effect.What;
import dev.carillon.simulation.Journal.Kind;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.target.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A process that is no node and fetches runs, through whichever node it reaches. */
final class SimWorker {
  static final String TARGET = "press";
  private static final Duration LEASE = Duration.ofSeconds(20);

  private final World world;
  private final String name;
  private final Gen gen;
  private final List<LeasedRun> inHand = new ArrayList<>();

  SimWorker(World world, String name) {
    this.world = world;
    this.name = name;
    this.gen = world.gen();
  }

  void claim(SimNode door) {
    int most = gen.number(1, 4);
    world.act(
        door,
        "lets " + name + " claim",
        () -> {
          for (LeasedRun one :
              door.carillon().pullWorkers().claim(name, List.of(TARGET), most, LEASE)) {
            world.journal().count(Kind.LEASE);
            inHand.add(one);
            record(one, What.STARTED);
          }
        });
  }

  void beat(SimNode door) {
    List<Lease> leases = inHand.stream().map(LeasedRun::lease).toList();
    world.act(
        door,
        "hears " + name,
        () -> {
          Map<RunId, Renewal> renewals =
              door.carillon().pullWorkers().heartbeat(name, leases, LEASE);
          if (gen.percent(70)) {
            inHand.removeIf(one -> !goesOn(renewals.get(one.run().id())));
          }
        });
  }

  private static boolean goesOn(@Nullable Renewal renewal) {
    return renewal == null || renewal.shouldContinue();
  }

  /** Say how some runs ended; what is not confirmed is said again. */
  void complete(SimNode door) {
    List<LeasedRun> some = inHand.stream().filter(one -> gen.percent(60)).toList();
    complete(door, some, 25);
  }

  void completeAll(SimNode door) {
    complete(door, List.copyOf(inHand), 0);
  }

  private void complete(SimNode door, List<LeasedRun> some, int failing) {
    if (some.isEmpty()) {
      return;
    }
    var completions = new ArrayList<Completion>();
    for (LeasedRun one : some) {
      boolean fails = gen.percent(failing);
      record(one, fails ? What.FAILED : What.FINISHED);
      completions.add(
          new Completion(
              one.lease(),
              fails
                  ? Outcome.failed(Failure.of("cracked", "the press is cracked"))
                  : Outcome.succeeded()));
    }
    world.act(
        door,
        "completes for " + name,
        () -> {
          door.carillon().pullWorkers().complete(completions);
          world.journal().count(Kind.COMPLETION);
          inHand.removeAll(some);
        });
  }

  /** Forget everything, as a process that starts again does. */
  void restart() {
    world.say("%s starts again", name);
    inHand.clear();
  }

  private void record(LeasedRun one, What what) {
    world
        .effects()
        .add(
            new Effect(
                one.run().id(),
                one.lease().attempt(),
                one.run().node().orElseThrow(),
                world.clock().instant(),
                one.run().dueAt(),
                what));
  }

  @Override
  public String toString() {
    return name;
  }
}
