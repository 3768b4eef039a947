package dev.carillon.plan.explain;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Explanation.Outcome;
import dev.carillon.model.Run;
import dev.carillon.model.SlotOutcome;
import dev.carillon.plan.DecidedSlots;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.plan.SlotDue;
import dev.carillon.plan.explain.JudgedBy.Judged;
import dev.carillon.policy.Pacing;
import dev.carillon.time.ClockChange;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * What became of one instant, found in the facts: a run overrules a decision, and a decision what
 * the planner would do.
 */
final class Finding {
  private final Facts facts;
  private final MomentText moments;
  private final Optional<NearRun> nearRun;
  private final Optional<Decision> decision;
  private final Optional<Expected> expected;
  private final Optional<SlotOutcome> previous;
  private final Optional<SlotOutcome> next;
  private final Optional<Judged> judged;
  private final DueThen dueThen;

  Finding(Facts facts) {
    this.facts = facts;
    nearRun =
        facts.runs().stream()
            .filter(run -> run.isOfSlot() && run.id().slot().equals(facts.at()))
            .findFirst();
    decision =
        nearRun.isPresent()
            ? Optional.empty()
            : facts.decisions().stream()
                .filter(one -> slotsOf(one).contains(facts.at()))
                .findFirst();
    expected =
        nearRun.isPresent() || decision.isPresent()
            ? Optional.empty()
            : facts.forecast().between(facts.at(), facts.at()).findFirst();
    var neighbours = new Neighbours(this);
    previous = neighbours.previous();
    next = neighbours.next();
    judged = judge();
    dueThen = DueThen.of(this);
    moments = MomentText.of(definition().orElse(facts.schedule().definition()).timing());
  }

  Facts facts() {
    return facts;
  }

  Instant at() {
    return facts.at();
  }

  /** Tell whether the instant, or the time that it stands for as a slot, has passed. */
  boolean isPast() {
    return !meant().isAfter(facts.now());
  }

  boolean isSlot() {
    return nearRun.isPresent() || decision.isPresent() || expected.isPresent();
  }

  /** Return the run of the slot as far as everybody may know it. */
  Optional<NearRun> nearRun() {
    return nearRun;
  }

  /** Return the run of the slot, if the caller may see it. */
  Optional<Run> run() {
    return nearRun.flatMap(near -> facts.run().filter(run -> run.id().equals(near.id())));
  }

  Optional<Decision> decision() {
    return decision;
  }

  Optional<Expected> expected() {
    return expected;
  }

  /** Return why the slot is to become no run, as the forecast puts it. */
  Optional<String> obstacle() {
    return expected.flatMap(Expected::obstacle);
  }

  Outcome outcome() {
    if (nearRun.isPresent()) {
      return Outcome.valueOf(nearRun.get().state().name());
    }
    if (decision.isPresent()) {
      return Outcome.DROPPED;
    }
    if (expected.isPresent()) {
      return obstacle().isPresent() ? Outcome.WILL_NOT_RUN : Outcome.WILL_RUN;
    }
    return isForgotten() ? Outcome.UNKNOWN : Outcome.NOT_DUE;
  }

  /* A slot of a definition in force that left no trace, though each becomes a run or a decision. */
  private boolean isForgotten() {
    Optional<KnownVersion> inForce = version().filter(version -> !version.isOverBefore(meant()));
    if (!isPast() || inForce.isEmpty()) {
      return isPast() && inForce.isEmpty() && mayBePruned();
    }
    Optional<Definition> known = inForce.get().definition();
    if (known.isEmpty()
        || !known.get().window().forSlots(known.get().timing()).contains(at())
        || !inForce.get().created().at().isBefore(meant())) {
      return false;
    }
    boolean named = isNamed(known.get()) && known.get().maxRuns() == 0;
    return named && (isOld() || !at().isAfter(facts.forecast().standing().plannedThrough()));
  }

  /** Tell whether what is known about the instant may have been deleted. */
  boolean isOld() {
    return at().isBefore(facts.keptFrom());
  }

  /* The first version is never before the schedule, but it may be gone. */
  private boolean mayBePruned() {
    return isOld()
        && facts.lastBefore(at()).isEmpty()
        && facts.schedule().created().at().isBefore(at());
  }

  /** Return the version that named the slot, or that was or is in force at the instant. */
  Optional<KnownVersion> version() {
    Optional<Integer> number =
        nearRun.map(NearRun::version).or(() -> decision.map(Decision::version));
    return number.isPresent()
        ? number.flatMap(facts::version)
        : expected.isPresent() ? facts.version(facts.schedule().version()) : facts.lastBefore(at());
  }

  /** Return what that version says, if the caller may know. */
  Optional<Definition> definition() {
    return version().flatMap(KnownVersion::definition);
  }

  /** Tell whether the timing of that version names the instant. */
  boolean isNamed() {
    return definition().filter(this::isNamed).isPresent();
  }

  private boolean isNamed(Definition definition) {
    Timing timing = definition.timing();
    return definition.pacing() == Pacing.SLOT && timing.matches(at());
  }

  /**
   * Return the time that a slot of a timing by a calendar stands for, such as the third business
   * day of its month; empty for other timings, and if the calendar is not known or has no such day.
   */
  Optional<Instant> standsFor() {
    return (isSlot() ? judgedBy() : inForce())
        .filter(known -> known.timing() instanceof CalendarTiming && isNamed(known))
        .filter(
            known ->
                judged().flatMap(SlotDue::obstacle).filter(RuleText.isUnnamed(known)).isEmpty())
        .map(known -> judged.map(Judged::rule).orElseGet(() -> ruleThen(known)))
        .filter(rule -> rule != DueRule.NONE)
        .map(rule -> rule.named(at()));
  }

  /** Return what moved the slots of {@code known} at the instant, or moves them now. */
  DueRule ruleThen(Definition known) {
    return facts.rules().at(known, isToCome(at()) ? facts.now() : at());
  }

  /** Return the time that the timing means by the instant. */
  Instant meant() {
    return standsFor().orElse(at());
  }

  /** Return when the run of the slot may start, or might have. */
  Optional<Instant> dueAt() {
    return nearRun
        .map(NearRun::dueAt)
        .or(() -> expected.map(Expected::dueAt))
        .or(() -> decision.flatMap(any -> jittered()));
  }

  private Optional<Judged> judge() {
    Optional<JudgedBy> judge = version().flatMap(version -> JudgedBy.of(facts, version));
    if (nearRun.isPresent()) {
      return judge.flatMap(by -> by.run(nearRun.get()));
    }
    return decision.isPresent()
        ? judge.flatMap(by -> by.decided(at(), decision.get()))
        : judge.filter(by -> expected.isPresent()).map(by -> by.coming(at()));
  }

  /** Return what calendar, quiet hours, window and jitter made of the slot, if that is known. */
  Optional<SlotDue> judged() {
    return judged.map(Judged::slot);
  }

  /** Return the same with what judged it. */
  Optional<Judged> judgement() {
    return judged;
  }

  /** Return the version of the schedule that gave the slot its due time, if it is a later one. */
  Optional<KnownVersion> judgedByLater() {
    return judged
        .map(Judged::version)
        .filter(version -> version().filter(one -> one.number() < version.number()).isPresent());
  }

  /** Return the definition that gave the slot its due time. */
  Optional<Definition> judgedBy() {
    return judged.map(Judged::definition).or(this::definition);
  }

  /** Return the due time that calendar, quiet hours and jitter give the slot. */
  Optional<Instant> jittered() {
    return judged().map(SlotDue::dueAt).or(this::jitteredOnly);
  }

  private Optional<Instant> jitteredOnly() {
    return definition()
        .map(known -> known.jitter().dueAt(known.timing(), facts.schedule().key(), at()))
        .filter(due -> isSlot());
  }

  /** Return the due time before jitter. */
  Instant due() {
    return judged().map(SlotDue::due).orElse(at());
  }

  /** Return the slots that were moved to the instant. */
  DueThen dueThen() {
    return dueThen;
  }

  /** Return who saved the version of a calendar or of quiet hours that judged the slot. */
  Optional<RuleChange> saved(Due.Policy policy, String name) {
    Instant counted = judged.map(Judged::at).orElse(facts.now());
    return definition().map(facts.rules()::changes).orElse(List.of()).stream()
        .filter(change -> change.policy() == policy && change.name().equals(name))
        .filter(change -> !change.deleted() && !change.changed().at().isAfter(counted))
        .reduce((one, later) -> later);
  }

  /** Return the name of the calendar or the quiet hours that left the slot out. */
  Optional<String> droppedBy() {
    return decision
        .flatMap(one -> one.droppedSlots().by())
        .or(() -> obstacle().flatMap(Finding::afterColon));
  }

  /** Return the slot whose run stands for this one. */
  Optional<Instant> mergedInto() {
    return decision
        .flatMap(one -> one.droppedSlots().mergedInto())
        .or(() -> obstacle().flatMap(Finding::afterColon).map(Instant::parse));
  }

  private static Optional<String> afterColon(String why) {
    int colon = why.indexOf(": ");
    return colon < 0 ? Optional.empty() : Optional.of(why.substring(colon + 2));
  }

  DecidedSlots slotsOf(Decision one) {
    return DecidedSlots.of(
        one,
        facts
            .version(one.version())
            .flatMap(KnownVersion::definition)
            .orElse(facts.schedule().definition()));
  }

  /** Return what was or is in force at the instant; empty while the schedule was retired. */
  Optional<Definition> inForce() {
    return version()
        .filter(version -> isSlot() || !version.isOverBefore(at()))
        .flatMap(KnownVersion::definition);
  }

  /** Return what a change of the clocks did to the instant. */
  Optional<ClockChange> clockChange() {
    return inForce()
        .filter(known -> known.pacing() == Pacing.SLOT)
        .flatMap(known -> ClockChange.at(known.timing(), at()));
  }

  /** Tell whether the slot became no run, or is to become none, for {@code reason}. */
  boolean isDropped(Reason reason) {
    String word = reason.name().toLowerCase(Locale.ROOT);
    return decision.filter(one -> one.droppedSlots().reason() == reason).isPresent()
        || obstacle().filter(one -> one.equals(word) || one.startsWith(word + ":")).isPresent();
  }

  /** Tell whether {@code instant} is still to come. */
  boolean isToCome(Instant instant) {
    return instant.isAfter(facts.now());
  }

  Optional<SlotOutcome> previous() {
    return previous;
  }

  Optional<SlotOutcome> next() {
    return next;
  }

  /** Return the name of a node, or its id if it is not known any more. */
  String nodeName(UUID node) {
    return "node "
        + Optional.ofNullable(facts.nodes().get(node))
            .map(Sentence::quoted)
            .orElseGet(node::toString);
  }

  /** Return an instant in words: on the clock of the timing, and in UTC. */
  String text(Instant instant) {
    return moments.of(instant);
  }
}
