package dev.carillon;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.Gen;
import dev.carillon.model.Failure;
import dev.carillon.target.Completion;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * About a month of many schedules on one node, with outages, changes of the clocks, and people and
 * workers that do as a seed says.
 */
final class ExplainWorld {
  private static final int ROUNDS = 16;

  final List<ExplainStory> stories = new ArrayList<>();
  final Instant start;
  private final ExplainRules rules;
  private final Gen any;
  private final Belfry belfry;
  private final ManualCarillon node;
  private final List<LeasedRun> held = new ArrayList<>();
  final List<Instant[]> outages = new ArrayList<>();

  ExplainWorld(Gen any, Belfry belfry, ManualCarillon node, int size) {
    this.any = any;
    this.belfry = belfry;
    this.node = node;
    belfry
        .clock()
        .advanceTo(
            Instant.parse(any.oneOf("2026-03-02", "2026-03-20", "2026-10-15") + "T00:00:00Z")
                .plus(any.upTo(Duration.ofDays(2))));
    start = now();
    rules = new ExplainRules(any, node, start);
    for (int i = 0; i < size; i++) {
      stories.add(new ExplainStory(any, node.schedules(), rules, "story-" + i, now()));
    }
  }

  Instant now() {
    return belfry.clock().instant();
  }

  /** Let everything happen. */
  void happen() {
    for (int round = 0; round < ROUNDS; round++) {
      stories.forEach(story -> story.act(now()));
      rules.act(now());
      if (any.percent(65)) {
        beAway(any.upTo(Duration.ofDays(3)));
      } else {
        node.pass(any.upTo(Duration.ofMinutes(35)));
      }
      work();
    }
  }

  /* Nothing runs, but for the minutes around a change of the clocks. */
  private void beAway(Duration time) {
    Instant end = now().plus(time);
    for (Instant change : clockChanges(now().plus(Duration.ofHours(1)), end)) {
      outage(change.minus(Duration.ofMinutes(20)));
      node.runDue();
      node.pass(Duration.ofMinutes(75));
    }
    outage(end);
    node.runDue();
  }

  private void outage(Instant until) {
    if (until.isAfter(now())) {
      outages.add(new Instant[] {now(), until});
      belfry.clock().advanceTo(until);
    }
  }

  private static List<Instant> clockChanges(Instant from, Instant to) {
    return Stream.of("Europe/Rome", "Australia/Lord_Howe", "America/New_York")
        .map(zone -> ZoneId.of(zone).getRules().nextTransition(from).getInstant())
        .filter(change -> change.isBefore(to))
        .sorted()
        .toList();
  }

  private void work() {
    held.addAll(
        node.carillon()
            .pullWorkers()
            .claim("lathe", List.of("far"), 40, Duration.ofHours(any.number(1, 12))));
    List<LeasedRun> done = held.stream().filter(one -> any.percent(60)).toList();
    held.removeAll(done);
    if (!done.isEmpty()) {
      node.carillon()
          .pullWorkers()
          .complete(
              done.stream()
                  .map(
                      one ->
                          new Completion(
                              one.lease(),
                              any.percent(80)
                                  ? Outcome.succeeded()
                                  : Outcome.failed(Failure.of("worn", "the rope"))))
                  .toList());
    }
    node.runDue();
  }
}
