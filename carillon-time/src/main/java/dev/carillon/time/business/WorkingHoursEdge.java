package dev.carillon.time.business;

import dev.carillon.time.DurationText;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A timing at which working hours open or close, once per business day: at the beginning of its
 * first hours or the end of its last, or so much earlier or later.
 *
 * @param calendar the business days and working hours
 * @param edge whether hours open or close
 * @param offset the distance from there to the slot; negative for earlier
 */
public record WorkingHoursEdge(BusinessCalendar calendar, Edge edge, Duration offset)
    implements BusinessTiming {
  /** The largest offset accepted, in both directions. */
  public static final Duration MAX_OFFSET = Duration.ofDays(7);

  /** The two ends of working hours. */
  public enum Edge {
    OPEN,
    CLOSE
  }

  public WorkingHoursEdge {
    if (offset.abs().compareTo(MAX_OFFSET) > 0 || offset.toNanosPart() != 0) {
      throw new InvalidValueException(
          "offset",
          "offset must be whole seconds, from -%sd to %sd; was %s"
              .formatted(MAX_OFFSET.toDays(), MAX_OFFSET.toDays(), offset));
    }
  }

  /** Fire exactly when hours open or close. */
  public WorkingHoursEdge(BusinessCalendar calendar, Edge edge) {
    this(calendar, edge, Duration.ZERO);
  }

  @Override
  public ZoneId zone() {
    return calendar.zone();
  }

  /** Return its slot of the business day {@code date}; empty if that has no working time. */
  public Optional<Instant> on(LocalDate date) {
    List<TimeRange> ranges = calendar.workingTime(date);
    return ranges.isEmpty() ? Optional.empty() : Optional.of(edge(ranges).plus(offset));
  }

  private Instant edge(List<TimeRange> ranges) {
    return edge == Edge.OPEN ? ranges.get(0).start() : ranges.get(ranges.size() - 1).end();
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return slots().next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return slots().previous(before);
  }

  @Override
  public long count(Instant after, Instant through) {
    return after.isBefore(through)
        ? slots().firstAfter(through.getEpochSecond()) - slots().firstAfter(after.getEpochSecond())
        : 0;
  }

  private OrderedSlots slots() {
    return new Days();
  }

  @Override
  public String describe() {
    String when =
        offset.isZero()
            ? "When"
            : DurationText.of(offset.abs()) + (offset.isNegative() ? " before" : " after");
    return "%s working hours %s, calendar %s, %s"
        .formatted(when, edge == Edge.OPEN ? "open" : "close", calendar.name(), zone());
  }

  /** A slot per business day that has working time. */
  private final class Days implements OrderedSlots {
    @Override
    public int size() {
      return calendar.openDays().size();
    }

    @Override
    public long slot(int number) {
      LocalDate date = LocalDate.ofEpochDay(calendar.openDays().get(number));
      return edge(calendar.workingTime(date)).getEpochSecond() + offset.toSeconds();
    }

    @Override
    public int numberNear(long second) {
      long day = Math.floorDiv(second - offset.toSeconds(), (long) HourSpan.DAY_SECONDS);
      return calendar.openDays().before(day - 2);
    }
  }
}
