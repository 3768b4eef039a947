package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.policy.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Runs that were planned for an outage are judged as if none of its slots had been planned. */
class MissedRunsProperties {
  @Property(cases = 1_000)
  void those_start_that_would_be_caught_up_with_if_nothing_had_been_planned(Gen any) {
    Scene scene = Scene.any(any);
    scene.given().maxRuns(0);
    List<Instant> planned = planned(scene, any);

    MissedRuns verdict = MissedRuns.judge(scene.given().standing(), scene.now());

    var missed = new TreeSet<>(unplanned(scene));
    missed.addAll(planned);
    missed.removeIf(slot -> !scene.isMissed(slot));
    List<Instant> newestFirst = List.copyOf(missed.descendingSet());
    List<Instant> expected =
        planned.stream()
            .filter(
                slot -> !scene.isMissed(slot) || runs(scene, slot, newestFirst.indexOf(slot) + 1))
            .toList();
    assertThat(starting(planned, verdict)).as("%s", scene).isEqualTo(expected);
  }

  @Property(cases = 1_000)
  void what_does_not_start_says_why(Gen any) {
    Scene scene = Scene.any(any);
    MissedRuns verdict = MissedRuns.judge(scene.given().standing(), scene.now());
    Instant slot = scene.now().minus(any.upTo(Duration.ofHours(9)));

    assertThat(verdict.endReason(slot).text())
        .startsWith("missed: no node was alive when it was due, and ")
        .doesNotEndWith("than that");
  }

  /* What the store keeps: the newest of those that are not too old. */
  private static List<Instant> starting(List<Instant> planned, MissedRuns verdict) {
    var starting = new ArrayList<Instant>();
    int place = 0;
    for (int i = planned.size() - 1; i >= 0; i--) {
      Instant slot = planned.get(i);
      boolean late = !slot.isBefore(verdict.before());
      if (late || (++place <= verdict.most() && !slot.isBefore(verdict.oldest()))) {
        starting.add(0, slot);
      }
    }
    return starting;
  }

  private static boolean runs(Scene scene, Instant slot, int rankFromNewest) {
    CatchUp catchUp = scene.catchUp();
    boolean old = catchUp.maxAge().map(scene.now()::minus).filter(slot::isBefore).isPresent();
    return switch (catchUp.mode()) {
      case SKIP -> false;
      case ONCE -> !old && rankFromNewest == 1;
      case ALL, SPREAD -> !old && rankFromNewest <= catchUp.limit();
    };
  }

  private static List<Instant> planned(Scene scene, Gen any) {
    return scene
        .timing()
        .between(scene.start().minus(any.upTo(Duration.ofHours(2))), scene.start())
        .stream()
        .filter(scene.window()::contains)
        .filter(slot -> any.percent(80))
        .toList();
  }

  private static List<Instant> unplanned(Scene scene) {
    return scene.timing().between(scene.start(), scene.now()).stream()
        .filter(scene.window()::contains)
        .filter(slot -> !scene.given().standing().settled().contains(slot))
        .toList();
  }
}
