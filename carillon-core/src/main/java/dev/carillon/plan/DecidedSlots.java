package dev.carillon.plan;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Every;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The slots of a recorded decision. Its ends are slots whatever is known of the timing that named
 * them; those between are the slots of the timing. Pure.
 *
 * @param first the first slot
 * @param last the last slot
 * @param timing the timing that named them
 */
public record DecidedSlots(Instant first, Instant last, Timing timing) {

  /** Look at the slots of {@code decision}, which {@code definition} named. */
  public static DecidedSlots of(Decision decision, Definition definition) {
    Instant first = decision.droppedSlots().first();
    /* Measured from the end of a run, those that are left out are a period apart. */
    Timing timing =
        definition.pacing() == Pacing.FINISH && definition.timing() instanceof Every every
            ? new Every(every.period(), first)
            : definition.timing();
    return new DecidedSlots(first, decision.droppedSlots().last(), timing);
  }

  /** Return the slots from {@code from} to {@code to}, oldest first, found as read. */
  public Stream<Instant> between(Instant from, Instant to) {
    Instant start = Instants.later(first, Instants.justBefore(from));
    Stream<Instant> between =
        timing.between(start, to.isBefore(last) ? to : Instants.justBefore(last)).stream();
    return Chained.of(List.of(Stream.of(first), between, Stream.of(last)))
        .filter(slot -> !slot.isBefore(from) && !slot.isAfter(to));
  }

  /** Tell whether {@code instant} is one of the slots. */
  public boolean contains(Instant instant) {
    return instant.equals(first)
        || instant.equals(last)
        || (instant.isAfter(first) && instant.isBefore(last) && timing.matches(instant));
  }

  /** Return the last slot before {@code instant}. */
  public Optional<Instant> before(Instant instant) {
    if (last.isBefore(instant)) {
      return Optional.of(last);
    }
    return first.isBefore(instant)
        ? timing.previous(instant).filter(first::isBefore).or(() -> Optional.of(first))
        : Optional.empty();
  }

  /** Return the first slot after {@code instant}. */
  public Optional<Instant> after(Instant instant) {
    if (first.isAfter(instant)) {
      return Optional.of(first);
    }
    return last.isAfter(instant)
        ? timing.next(instant).filter(last::isAfter).or(() -> Optional.of(last))
        : Optional.empty();
  }
}
