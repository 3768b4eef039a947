package dev.carillon.plan.explain;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.SlotOutcome;
import dev.carillon.plan.Forecast;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.plan.SlotOutcomes;
import dev.carillon.plan.Standing;
import dev.carillon.policy.Pacing;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The slots before and after an instant, whoever is to say what became of them. */
final class Neighbours {
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final Finding finding;
  private final Facts facts;

  Neighbours(Finding finding) {
    this.finding = finding;
    this.facts = finding.facts();
  }

  /** Return the last slot before the instant. */
  Optional<SlotOutcome> previous() {
    Instant at = facts.at();
    return first(
        Stream.of(
            runs().filter(run -> run.slot().isBefore(at)),
            facts.decisions().stream()
                .flatMap(
                    one ->
                        finding.slotsOf(one).before(at).map(slot -> dropped(one, slot)).stream()),
            expectedBefore().map(this::expected).stream()),
        Comparator.comparing(SlotOutcome::slot).reversed());
  }

  /** Return the first slot after the instant. */
  Optional<SlotOutcome> next() {
    Instant at = facts.at();
    return first(
        Stream.of(
            runs().filter(run -> run.slot().isAfter(at)),
            facts.decisions().stream()
                .flatMap(
                    one -> finding.slotsOf(one).after(at).map(slot -> dropped(one, slot)).stream()),
            facts.forecast().between(at.plusNanos(1), LAST).limit(1).map(this::expected)),
        Comparator.comparing(SlotOutcome::slot));
  }

  /* Of those for the same slot, the one that comes first here: a run overrules a decision. */
  private static Optional<SlotOutcome> first(
      Stream<Stream<SlotOutcome>> sources, Comparator<SlotOutcome> order) {
    return sources
        .flatMap(source -> source)
        .reduce((one, other) -> order.compare(other, one) < 0 ? other : one);
  }

  private Stream<SlotOutcome> runs() {
    return facts.runs().stream()
        .filter(NearRun::isOfSlot)
        .map(
            run ->
                SlotOutcomes.ran(
                    definition(run.version()), run.id(), run.dueAt(), run.state(), run.reason()));
  }

  private SlotOutcome dropped(Decision decision, Instant slot) {
    return SlotOutcomes.dropped(
        facts.schedule().key(), definition(decision.version()), decision, slot);
  }

  private SlotOutcome expected(Expected expected) {
    return SlotOutcomes.expected(facts.schedule().definition(), expected);
  }

  /* The last undecided slot before the instant, without walking those before it. */
  private Optional<Expected> expectedBefore() {
    Forecast forecast = facts.forecast();
    Standing standing = forecast.standing();
    Instant at = facts.at();
    if (!standing.plannedThrough().isBefore(at)) {
      return Optional.empty();
    }
    Definition definition = facts.schedule().definition();
    if (definition.pacing() == Pacing.FINISH) {
      return forecast.between(standing.plannedThrough(), at.minusNanos(1)).findFirst();
    }
    Instant end = definition.window().until();
    return (at.isAfter(end)
            ? definition.window().previous(definition.timing(), at)
            : definition.timing().previous(at))
        .filter(slot -> slot.isAfter(standing.plannedThrough()))
        .flatMap(slot -> forecast.between(slot, slot).findFirst());
  }

  private Definition definition(int version) {
    return facts
        .version(version)
        .flatMap(KnownVersion::definition)
        .orElse(facts.schedule().definition());
  }
}
