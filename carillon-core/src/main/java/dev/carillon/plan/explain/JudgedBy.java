package dev.carillon.plan.explain;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Trigger;
import dev.carillon.plan.DuePipeline;
import dev.carillon.plan.SlotDue;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.business.CalendarTiming;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Judges a slot again as it was judged then. Which calendars and quiet hours counted is not
 * recorded; of those that were in force around the time, it is those that agree with what is.
 */
final class JudgedBy {
  private final Facts facts;
  private final KnownVersion version;
  private final Definition definition;

  private JudgedBy(Facts facts, KnownVersion version, Definition definition) {
    this.facts = facts;
    this.version = version;
    this.definition = definition;
  }

  /** Judge by {@code version}, unless what it says is outside the caller's scope. */
  static Optional<JudgedBy> of(Facts facts, KnownVersion version) {
    return version.definition().map(known -> new JudgedBy(facts, version, known));
  }

  /**
   * What became of a slot.
   *
   * @param slot the slot with its moves, or with why it was left out
   * @param rule what moved it, or left it out
   * @param version the version of the schedule that decided it
   * @param at when the calendars and quiet hours that decided it were in force
   */
  record Judged(SlotDue slot, DueRule rule, KnownVersion version, Instant at) {
    Definition definition() {
      return version.definition().orElseThrow();
    }

    /** Tell whether {@code move} leads to the time that the slot stands for by its timing. */
    boolean isMeant(Due.Move move) {
      return definition().timing() instanceof CalendarTiming timing
          && move.equals(slot.moves().get(0))
          && move.by().equals(timing.calendar())
          && move.to().equals(rule.named(slot.slot()));
    }
  }

  /** Judge a slot that is not decided yet, as things stand. */
  Judged coming(Instant slot) {
    return judged(slot, facts.forecast().standing().moves().rule(), facts.now());
  }

  private Judged judged(Instant slot, DueRule rule, Instant at) {
    var pipeline = new DuePipeline(facts.schedule().key(), definition, rule);
    return new Judged(pipeline.judge(slot), rule, version, at);
  }

  /**
   * Judge the slot of a run: by what gave it the due time it has, or, if catch-up made that later,
   * by what was in force then. After a calendar or quiet hours have changed, runs that wait are
   * judged by the version of the schedule that is in force by then.
   */
  Optional<Judged> run(NearRun run) {
    if (run.trigger() != Trigger.SCHEDULED) {
      return Optional.empty(); // somebody asked for it
    }
    Instant slot = run.id().slot();
    return exactly(run)
        .or(
            () ->
                facts.versions().stream()
                    .filter(later -> later.number() > version.number())
                    .flatMap(later -> of(facts, later).stream())
                    .flatMap(later -> later.exactly(run).stream())
                    .findFirst())
        .or(
            () ->
                first(
                    slot,
                    run.dueAt(),
                    judged -> judged.obstacle().isEmpty() && dueAt(judged).isBefore(run.dueAt())));
  }

  private Optional<Judged> exactly(NearRun run) {
    return first(
        run.id().slot(),
        run.dueAt(),
        judged -> judged.obstacle().isEmpty() && dueAt(judged).equals(run.dueAt()));
  }

  /** Judge a slot that {@code decision} is about. */
  Optional<Judged> decided(Instant slot, Decision decision) {
    DroppedSlots dropped = decision.droppedSlots();
    Optional<Judged> judged = first(slot, decision.decidedAt(), one -> agrees(one, dropped));
    boolean byRule = dropped.reason() == Reason.QUIET_HOURS || dropped.reason() == Reason.CALENDAR;
    return judged.isEmpty() && byRule
        ? first(slot, decision.decidedAt(), one -> one.obstacle().isEmpty()) // it was late
        : judged;
  }

  private static boolean agrees(SlotDue judged, DroppedSlots dropped) {
    Reason reason = dropped.reason();
    boolean byRule =
        reason == Reason.CALENDAR
            || reason == Reason.QUIET_HOURS
            || (reason == Reason.OUTSIDE_WINDOW && dropped.by().isPresent());
    return judged
        .obstacle()
        .map(one -> one.reason() == reason && one.by().equals(dropped.by()))
        .orElse(!byRule);
  }

  private Instant dueAt(SlotDue judged) {
    return definition.pacing() == Pacing.FINISH && judged.dueAt().isBefore(judged.slot())
        ? judged.slot()
        : judged.dueAt();
  }

  /* What was in force when it was decided, just before, and after each change from then on. */
  private Optional<Judged> first(Instant slot, Instant decided, Predicate<SlotDue> agrees) {
    Instant from = decided.isBefore(slot) ? decided : slot;
    Stream<Instant> changed =
        facts.rules().changes(definition).stream()
            .map(change -> change.changed().at())
            .filter(at -> !at.isBefore(from));
    return Stream.concat(
            Stream.of(decided, decided.minus(1, ChronoUnit.MICROS)),
            Stream.concat(changed, Stream.of(slot)))
        .map(at -> at.isAfter(facts.now()) ? facts.now() : at)
        .distinct()
        .map(at -> judged(slot, facts.rules().at(definition, at), at))
        .filter(judged -> agrees.test(judged.slot))
        .findFirst();
  }
}
