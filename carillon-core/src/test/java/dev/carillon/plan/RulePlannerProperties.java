package dev.carillon.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.Closed.Action;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The laws that every plan of moved slots obeys. */
class RulePlannerProperties {
  @Property(cases = 1_000)
  void a_rule_that_moves_nothing_changes_no_plan(Gen any) {
    Scene scene = Scene.any(any);
    Plan plain = scene.plan();
    Closed rule = rule(any);
    scene.given().rule(new Closed(rule.every(), rule.closed(), Action.RUN));

    Plan plan = scene.plan();

    if (plan.runs().size() < SlotPlanner.MAX_AHEAD && !tooMany(scene)) {
      assertThat(PlainPlan.decided(scene, plan))
          .as("%s", scene)
          .isEqualTo(PlainPlan.decided(scene, plain));
      assertThat(Given.dueTimes(plan)).as("%s", scene).isEqualTo(Given.dueTimes(plain));
      assertThat(plan.plannedThrough()).as("%s", scene).isEqualTo(plain.plannedThrough());
      assertThat(plan.planBy()).as("%s", scene).isEqualTo(plain.planBy());
      assertThat(plan.complete()).as("%s", scene).isEqualTo(plain.complete());
      assertThat(plan.caughtUp()).as("%s", scene).isEqualTo(plain.caughtUp());
    }
  }

  @Property(cases = 2_000)
  void every_slot_is_decided_once_and_merged_into_a_run_of_the_same_due_time(Gen any) {
    Scene scene = moved(any);
    Plan plan = scene.plan();

    decided(scene, scene.given(), plan, new TreeMap<>(), new HashMap<>());
  }

  @Property(cases = 2_000)
  void where_polls_fall_never_loses_repeats_or_delays_a_slot(Gen any) {
    Scene scene = moved(any);
    scene.given().catchUp(CatchUp.all()).maxRuns(0);
    Given given = scene.given();
    var decided = new TreeMap<Instant, String>();
    var runs = new HashMap<Instant, Instant>();
    Instant now = scene.start();
    int turns = 0;
    while (now.isBefore(scene.now()) && ++turns < 200) {
      Plan plan = given.plan(now, now.plusSeconds(60));
      decided(scene, given, plan, decided, runs);
      for (PlannedRun run : plan.runs()) {
        boolean late = run.dueAt().isBefore(now);
        assertThat(late && wasDueLater(scene, given, run))
            .as("%s planned %s at %s", scene, run, now)
            .isFalse();
      }
      given = after(plan, given);
      if (plan.runs().size() < SlotPlanner.MAX_AHEAD) { // else it is planned again at once
        Instant step = plan.planBy().orElse(scene.now()).minusSeconds(any.number(1, 59));
        now = Instants.later(now.plusSeconds(any.number(1, 30)), step);
      }
    }
  }

  /* A slot beyond the plan before, due after it, must have been planned in time. */
  private static boolean wasDueLater(Scene scene, Given given, PlannedRun run) {
    return scene.start().isBefore(run.dueAt())
        && given.standing().plannedThrough().isAfter(scene.start());
  }

  @Property(cases = 1_000)
  void the_next_slot_is_planned_once_the_horizon_reaches_what_the_plan_says(Gen any) {
    Scene scene = moved(any);
    Plan plan = scene.plan();
    if (plan.nextSlot().isEmpty()) {
      return;
    }
    Instant planBy = plan.planBy().orElseThrow();

    Plan then =
        after(plan, scene.given().catchUp(CatchUp.all())).plan(planBy.minusSeconds(1), planBy);

    assertThat(then.plannedThrough())
        .as("%s", scene)
        .isAfterOrEqualTo(plan.nextSlot().orElseThrow());
  }

  @Property(cases = 1_000)
  void turn_by_turn_the_same_slots_are_decided_as_in_one(Gen any) {
    Scene scene = moved(any);
    scene.given().catchUp(scene.catchUp().mode(CatchUp.Mode.ALL)).maxRuns(0);
    Plan atOnce = scene.plan();
    var decided = new TreeMap<Instant, String>();
    Given given = scene.given();
    Plan plan;
    do {
      plan = given.plan(scene.now(), scene.horizon(), any.number(1, 7));
      for (var slot : PlainPlan.decided(scene, plan).entrySet()) {
        assertThat(decided.put(slot.getKey(), slot.getValue())).as("%s", scene).isNull();
      }
      given = after(plan, given);
    } while (plan.behind());

    if (!tooMany(scene)) {
      assertThat(decided.keySet())
          .as("%s", scene)
          .isEqualTo(PlainPlan.decided(scene, atOnce).keySet());
      assertThat(plan.plannedThrough()).as("%s", scene).isEqualTo(atOnce.plannedThrough());
      assertThat(plan.complete()).as("%s", scene).isEqualTo(atOnce.complete());
    }
  }

  /* Check a plan, and add what it decided to what was decided before. */
  private static void decided(
      Scene scene,
      Given given,
      Plan plan,
      Map<Instant, String> decided,
      Map<Instant, Instant> runs) {
    Standing standing = given.standing();
    Closed rule = (Closed) standing.moves().rule();
    standing
        .settled()
        .forEach(slot -> at(rule, slot).ifPresent(due -> runs.putIfAbsent(due, slot)));
    for (PlannedRun run : plan.runs()) {
      Instant due = at(rule, run.slot()).orElseThrow();
      assertThat(runs.putIfAbsent(due, run.slot())).as("%s in %s", run, scene).isNull();
      assertThat(decided.put(run.slot(), "run")).as("%s in %s", run, scene).isNull();
      boolean moved = !due.equals(run.slot());
      assertThat(moved && run.dueAt().isBefore(due)).as("%s in %s", run, scene).isFalse();
    }
    for (DroppedSlots range : plan.dropped()) {
      long slots = 0;
      for (Instant slot : scene.timing().between(range.first().minusNanos(1), range.last())) {
        slots++;
        assertThat(decided.put(slot, range.why())).as("%s in %s", range, scene).isNull();
        assertThat(standing.settled()).as("%s", scene).doesNotContain(slot);
        if (range.reason() == Reason.MERGED) {
          assertThat(runs.get(at(rule, slot).orElseThrow()))
              .as("%s in %s", range, scene)
              .isEqualTo(range.mergedInto().orElseThrow());
        }
        assertThat(range.reason() == Reason.CALENDAR && at(rule, slot).isPresent()).isFalse();
      }
      assertThat(slots).as("%s in %s", range, scene).isEqualTo(range.slots());
    }
    for (Instant slot :
        scene.window().between(scene.timing(), standing.plannedThrough(), plan.plannedThrough())) {
      assertThat(decided.containsKey(slot) || standing.settled().contains(slot))
          .as("%s lost %s", scene, slot)
          .isTrue();
    }
  }

  private static java.util.Optional<Instant> at(Closed rule, Instant slot) {
    return rule.due(slot) instanceof Due.At at
        ? java.util.Optional.of(at.at())
        : java.util.Optional.empty();
  }

  private static boolean tooMany(Scene scene) {
    return scene.timing().count(scene.start(), scene.horizon()) >= SlotPlanner.MAX_AHEAD;
  }

  private static Scene moved(Gen any) {
    Scene scene = Scene.any(any);
    scene.given().rule(rule(any));
    return scene;
  }

  private static Closed rule(Gen any) {
    Duration every = Duration.ofMinutes(any.number(10, 180));
    return new Closed(
        every, every.multipliedBy(any.number(1, 9)).dividedBy(10), any.oneOf(Action.values()));
  }

  private static Given after(Plan plan, Given given) {
    Standing standing = given.standing();
    var runs = new TreeSet<>(standing.moves().earlierRuns());
    plan.runs().forEach(run -> runs.add(run.slot()));
    standing.settled().headSet(plan.plannedThrough().plusNanos(1)).forEach(runs::add);
    return given
        .copy()
        .plannedThrough(plan.plannedThrough())
        .plannedRuns(plan.plannedRuns())
        .moves(new DueMoves(standing.moves().rule(), runs, standing.moves().decided()));
  }
}
