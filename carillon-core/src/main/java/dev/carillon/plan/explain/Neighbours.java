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
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The slots before and after an instant, whoever is to say what became of them. */
final class Neighbours {
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private static final int MAX_WALKED = 10_000;

  private final Finding finding;
  private final Facts facts;

  Neighbours(Finding finding) {
    this.finding = finding;
    this.facts = finding.facts();
  }

  /** A slot, and who knows what became of it. */
  private record Candidate(Instant slot, Supplier<SlotOutcome> outcome) {}

  /** Return the last slot before the instant. */
  Optional<SlotOutcome> previous() {
    Instant at = facts.at();
    return first(
        Stream.of(
            runs().filter(run -> run.slot().isBefore(at)),
            facts.decisions().stream()
                .flatMap(one -> candidate(one, finding.slotsOf(one).before(at))),
            expectedBefore().map(this::candidate).stream()),
        Comparator.comparing(Candidate::slot).reversed());
  }

  /** Return the first slot after the instant. */
  Optional<SlotOutcome> next() {
    Instant at = facts.at();
    return first(
        Stream.of(
            runs().filter(run -> run.slot().isAfter(at)),
            facts.decisions().stream()
                .flatMap(one -> candidate(one, finding.slotsOf(one).after(at))),
            facts.forecast().between(at.plusNanos(1), LAST).limit(1).map(this::candidate)),
        Comparator.comparing(Candidate::slot));
  }

  /* Of those for the same slot, the one that comes first here: a run overrules a decision. */
  private static Optional<SlotOutcome> first(
      Stream<Stream<Candidate>> sources, Comparator<Candidate> order) {
    return sources
        .flatMap(source -> source)
        .reduce((one, other) -> order.compare(other, one) < 0 ? other : one)
        .map(nearest -> nearest.outcome.get());
  }

  private Stream<Candidate> runs() {
    return facts.runs().stream()
        .filter(NearRun::isOfSlot)
        .map(run -> new Candidate(run.id().slot(), () -> ran(run)));
  }

  private SlotOutcome ran(NearRun run) {
    return SlotOutcomes.ran(
        definition(run.version()), run.id(), run.dueAt(), run.state(), run.reason());
  }

  private Stream<Candidate> candidate(Decision decision, Optional<Instant> slot) {
    return slot.stream().map(one -> new Candidate(one, () -> dropped(decision, one)));
  }

  private Candidate candidate(Expected expected) {
    return new Candidate(
        expected.slot(), () -> SlotOutcomes.expected(facts.schedule().definition(), expected));
  }

  private SlotOutcome dropped(Decision decision, Instant slot) {
    return SlotOutcomes.dropped(
        facts.schedule().key(), definition(decision.version()), decision, slot);
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
        .flatMap(this::expectedAt)
        .or(this::lastBeforePause)
        .or(() -> definition.maxRuns() == 0 ? Optional.empty() : lastOfAll());
  }

  private Optional<Expected> expectedAt(Instant slot) {
    Forecast forecast = facts.forecast();
    return slot.isAfter(forecast.standing().plannedThrough())
        ? forecast.between(slot, slot).findFirst()
        : Optional.empty();
  }

  /* Slots in a pause to come that are before the window as well become nothing that is recorded. */
  private Optional<Expected> lastBeforePause() {
    return facts
        .forecast()
        .standing()
        .pauseFrom()
        .filter(from -> from.isBefore(facts.at()))
        .flatMap(facts.schedule().definition().timing()::previous)
        .flatMap(this::expectedAt);
  }

  /* A schedule with so many runs at most has a last slot, which only walking finds. */
  private Optional<Expected> lastOfAll() {
    Forecast forecast = facts.forecast();
    return forecast
        .between(forecast.standing().plannedThrough(), facts.at().minusNanos(1))
        .limit(MAX_WALKED)
        .reduce((one, later) -> later);
  }

  private Definition definition(int version) {
    return facts
        .version(version)
        .flatMap(KnownVersion::definition)
        .orElse(facts.schedule().definition());
  }
}
