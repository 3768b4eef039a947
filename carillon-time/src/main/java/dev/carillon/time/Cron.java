package dev.carillon.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A timing given by a cron expression in the local time of a zone.
 *
 * <p>Five fields (minute, hour, day of month, month, day of week), six with seconds first, seven
 * with a year last. {@code 30 2 * * 1-5} in {@code Europe/Rome} fires at half past two on weekdays;
 * on the day when clocks skip that time it fires once, at 03:00.
 */
public final class Cron implements Timing {
  private static final ZoneId UTC = ZoneId.of("UTC");

  private final ParsedCron text;
  private final ZoneId zone;
  private final DstGap gap;
  private final DstOverlap overlap;
  private final ZonedSlots slots;

  private Cron(ParsedCron text, ZoneId zone, DstGap gap, DstOverlap overlap) {
    this.text = text;
    this.zone = zone;
    this.gap = gap;
    this.overlap = overlap;
    boolean bothPasses =
        overlap == DstOverlap.BOTH || (overlap == DstOverlap.AUTO && text.hasWildcard());
    boolean firesAfterGap = gap == DstGap.FIRE_AFTER && !text.slots().times().everyHour();
    this.slots = new ZonedSlots(text.slots(), ZoneOffsets.of(zone), firesAfterGap, !bothPasses);
  }

  /**
   * Parse {@code expression} in UTC.
   *
   * @throws CronSyntaxException if it is not valid; the message shows where and why
   */
  public static Cron parse(String expression) {
    return parse(expression, UTC);
  }

  /**
   * Parse {@code expression} in the local time of {@code zone}.
   *
   * @throws CronSyntaxException if it is not valid; the message shows where and why
   * @throws UnknownZoneException if {@code zone} is an offset or an abbreviation
   */
  public static Cron parse(String expression, ZoneId zone) {
    return parse(expression, zone, "");
  }

  /**
   * Parse {@code expression} in the local time of {@code zone}, with {@code H} resolved for the
   * schedule {@code key}.
   *
   * @throws CronSyntaxException if it is not valid; the message shows where and why
   * @throws UnknownZoneException if {@code zone} is an offset or an abbreviation
   */
  public static Cron parse(String expression, ZoneId zone, String key) {
    return new Cron(CronParser.parse(expression, key), zone, DstGap.FIRE_AFTER, DstOverlap.AUTO);
  }

  /** Return this timing with another rule for local times that do not exist. */
  public Cron withGap(DstGap gap) {
    return gap == this.gap ? this : new Cron(text, zone, gap, overlap);
  }

  /** Return this timing with another rule for local times that occur twice. */
  public Cron withOverlap(DstOverlap overlap) {
    return overlap == this.overlap ? this : new Cron(text, zone, gap, overlap);
  }

  /** The expression as written, with single blanks. */
  public String expression() {
    return text.expression();
  }

  /**
   * The expression with macros and {@code H} replaced by their values: for display, not for
   * parsing, since {@code H/n} fires in both passes of a repeated hour and its resolved numbers do
   * not.
   */
  public String resolved() {
    return text.resolved();
  }

  public ZoneId zone() {
    return zone;
  }

  public DstGap gap() {
    return gap;
  }

  public DstOverlap overlap() {
    return overlap;
  }

  @Override
  public List<Warning> warnings() {
    return text.warnings();
  }

  @Override
  public Optional<Instant> next(Instant after) {
    long slot = slots.next(after.getEpochSecond());
    if (slot == ZonedSlots.NEVER) {
      return Optional.empty();
    }
    if (slot <= after.getEpochSecond()) { // a loop over slots would never end
      throw new IllegalStateException(this + " names " + slot + " as the slot after " + after);
    }
    return Optional.of(Instant.ofEpochSecond(slot));
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    long second = before.getEpochSecond() + (before.getNano() == 0 ? 0 : 1);
    long slot = slots.previous(second);
    return slot == ZonedSlots.NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(slot));
  }

  @Override
  public long count(Instant after, Instant through) {
    return slots.count(after.getEpochSecond(), through.getEpochSecond());
  }

  @Override
  public String describe() {
    return CronDescription.of(text.slots()) + ", " + zone;
  }

  /** Return whether it fires in each hour of its days. */
  boolean firesEveryHour() {
    return text.slots().times().everyHour();
  }

  ZonedSlots slots() {
    return slots;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cron that
        && expression().equals(that.expression())
        && resolved().equals(that.resolved())
        && zone.equals(that.zone)
        && gap == that.gap
        && overlap == that.overlap;
  }

  @Override
  public int hashCode() {
    return Objects.hash(resolved(), zone, gap, overlap);
  }

  @Override
  public String toString() {
    return expression() + " " + zone;
  }
}
