package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.SlowTarget.Call;
import dev.carillon.policy.Overlap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Living nodes that notice at different moments that the clock was set, forward and back. */
@ExtendWith(EmbeddedPostgres.class)
class ClockStepStoriesTest {
  private static final int SECONDS = 150;
  /* All but that of deadlines, of which there are none here. */
  private static final List<EngineLoop> LOOPS =
      EnumSet.range(EngineLoop.HEARTBEAT, EngineLoop.PULLING).stream()
          .filter(loop -> loop != EngineLoop.DEADLINES)
          .toList();

  private final DataSource postgres;
  private final SlowTarget slow = new SlowTarget();
  private final List<Call> atWork = new ArrayList<>();

  ClockStepStoriesTest(DataSource postgres) {
    this.postgres = postgres;
  }

  /* A node whose process reads the clock now and then. */
  private record Node(Carillon carillon, Engine engine, DatabaseClock time) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void runs_of_one_lane_never_overlap_and_none_is_stopped(long seed) {
    var gen = new Gen(seed);
    try (var belfry = new Belfry(postgres)) {
      List<Node> nodes = List.of(node(belfry), node(belfry), node(belfry));
      nodes.get(0).carillon.schedules().create(oneAtATime());
      for (int second = 0; second < SECONDS; second++) {
        belfry.clock().advance(Duration.ofSeconds(1));
        if (gen.percent(8)) {
          belfry.clock().step(Duration.ofSeconds(gen.percent(50) ? 40 : -40));
        }
        for (Node node : nodes) {
          turn(node, gen);
        }
        end(gen);
      }
      assertThat(slow.calls()).as("runs with seed %s", seed).hasSizeGreaterThan(5);
      nodes.forEach(node -> node.carillon.close());
    }
  }

  private Node node(Belfry belfry) {
    var engines = new ArrayList<Engine>();
    var time = new DatabaseClock(belfry.clock()::instant, belfry.clock()::nanos);
    Carillon carillon =
        Carillon.builder()
            .dataSource(belfry.source())
            .migrate(false)
            .asyncTarget("slow", slow)
            .buildManual(time, Runnable::run, engines::add)
            .start();
    return new Node(carillon, engines.get(0), time);
  }

  private static ScheduleDraft oneAtATime() {
    return ScheduleDraft.named("lane")
        .target("slow")
        .every(Duration.ofSeconds(2))
        .overlap(Overlap.SKIP);
  }

  private void turn(Node node, Gen gen) {
    if (gen.percent(25)) {
      node.time.sync();
    }
    LOOPS.stream().filter(loop -> gen.percent(80)).forEach(node.engine::turn);
    List<Call> begun = slow.calls();
    atWork.addAll(begun.subList(began(), begun.size()));
    assertThat(atWork).as("at work").hasSizeLessThanOrEqualTo(1);
    assertThat(begun).allSatisfy(call -> assertThat(call.stops()).isEmpty());
  }

  private int ended;

  private int began() {
    return ended + atWork.size();
  }

  private void end(Gen gen) {
    if (!atWork.isEmpty() && gen.percent(15)) {
      atWork.remove(0).succeed();
      ended++;
    }
  }
}
