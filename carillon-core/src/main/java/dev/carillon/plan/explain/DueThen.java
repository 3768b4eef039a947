package dev.carillon.plan.explain;

import dev.carillon.model.SlotOutcome;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.plan.SlotOutcomes;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slots whose runs are due at an instant because a calendar or quiet hours moved them there.
 *
 * @param slots in their order
 */
record DueThen(List<Moved> slots) {
  private static final int MAX_SHOWN = 5;
  private static final int MAX_WALKED = 10_000;

  /* Quiet hours that defer keep runs apart by less. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** A slot, what became of it, and what moved it. */
  record Moved(SlotOutcome outcome, JudgedBy.Judged judged) {}

  static DueThen of(Finding finding) {
    if (finding.isSlot()) {
      return new DueThen(List.of());
    }
    Facts facts = finding.facts();
    Stream<Moved> runs =
        facts.dueRuns().stream()
            .filter(run -> run.isOfSlot() && isThen(facts, run.dueAt()))
            .flatMap(run -> ran(facts, run).stream());
    return new DueThen(
        Stream.concat(runs, expected(facts))
            .sorted(Comparator.comparing(moved -> moved.outcome.slot()))
            .limit(MAX_SHOWN)
            .toList());
  }

  private static boolean isThen(Facts facts, Instant dueAt) {
    return !dueAt.isBefore(facts.at()) && dueAt.isBefore(facts.at().plus(MOMENT));
  }

  private static Optional<Moved> ran(Facts facts, NearRun run) {
    return facts
        .version(run.version())
        .flatMap(version -> JudgedBy.of(facts, version))
        .flatMap(judge -> judge.run(run))
        .filter(judged -> !judged.slot().moves().isEmpty())
        .map(
            judged ->
                new Moved(
                    SlotOutcomes.ran(
                        judged.definition(), run.id(), run.dueAt(), run.state(), run.reason()),
                    judged));
  }

  private static Stream<Moved> expected(Facts facts) {
    DueRule rule = facts.forecast().standing().moves().rule();
    if (rule == DueRule.NONE || !facts.at().isAfter(facts.now())) {
      return Stream.empty();
    }
    Optional<JudgedBy> judge =
        facts.version(facts.schedule().version()).flatMap(version -> JudgedBy.of(facts, version));
    return facts
        .forecast()
        .between(
            facts.at().minus(rule.maxDelay()).minus(MOMENT),
            facts.at().plus(rule.maxAdvance()).plus(MOMENT))
        .limit(MAX_WALKED)
        .filter(one -> one.obstacle().isEmpty() && isThen(facts, one.dueAt()))
        .flatMap(one -> judge.flatMap(by -> expected(by.coming(one.slot()), one)).stream());
  }

  private static Optional<Moved> expected(JudgedBy.Judged judged, Expected expected) {
    return judged.slot().moves().isEmpty()
        ? Optional.empty()
        : Optional.of(new Moved(SlotOutcomes.expected(judged.definition(), expected), judged));
  }
}
