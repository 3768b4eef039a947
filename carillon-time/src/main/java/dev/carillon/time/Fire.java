package dev.carillon.time;

import dev.carillon.time.business.BusinessTiming;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A slot for display: with its local time and a note about a clock change.
 *
 * @param slot the instant
 * @param local the local time of the zone
 * @param note how a clock change affects it, if one does
 */
public record Fire(Instant slot, ZonedDateTime local, Optional<String> note) {

  /** Return the first {@code count} fires of {@code timing} after {@code after}. */
  public static List<Fire> next(Timing timing, ZoneId zone, Instant after, int count) {
    return timing.between(after, Instant.MAX).stream()
        .limit(count)
        .map(slot -> of(timing, zone, slot))
        .toList();
  }

  /** Return the last {@code count} fires of {@code timing} before {@code before}, newest first. */
  public static List<Fire> previous(Timing timing, ZoneId zone, Instant before, int count) {
    return Stream.iterate(
            timing.previous(before), Optional::isPresent, slot -> slot.flatMap(timing::previous))
        .limit(count)
        .map(slot -> of(timing, zone, slot.orElseThrow()))
        .toList();
  }

  /** Describe one slot of {@code timing}, in the zone of the timing if it has one. */
  public static Fire of(Timing timing, ZoneId zone, Instant slot) {
    if (timing instanceof Cron cron) {
      return new Fire(slot, slot.atZone(cron.zone()), note(cron.slots(), slot.getEpochSecond()));
    }
    if (timing instanceof EveryPeriod every) {
      return new Fire(slot, slot.atZone(every.zone()), note(every.slots(), slot.getEpochSecond()));
    }
    if (timing instanceof BusinessTiming business) {
      return new Fire(slot, slot.atZone(business.zone()), Optional.empty());
    }
    return new Fire(slot, slot.atZone(Zones.of(timing).orElse(zone)), Optional.empty());
  }

  private static Optional<String> note(ZonedSlots slots, long second) {
    return ClockChange.at(slots, second, true)
        .map(
            change -> {
              LocalTime named = change.named().toLocalTime();
              return switch (change.effect()) {
                case MOVED, LEFT_OUT -> "moved from " + named + ", which the clocks skip that day";
                case FIRST_OF_TWO -> "first of two " + named;
                case ONLY_FIRST -> "first of two " + named + ", the only one to fire";
                case SECOND_OF_TWO, NOT_AGAIN -> "second of two " + named;
              };
            });
  }
}
