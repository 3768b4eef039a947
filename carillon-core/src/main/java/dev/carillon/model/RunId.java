package dev.carillon.model;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity of a run: schedule, slot and ordinal. Written as a UUID that sorts by slot, from
 * which the three can be read back; a slot fired again after a lossy failover has the same one.
 *
 * @param schedule the number of the schedule, or an ad-hoc run's own
 * @param slot the planned time, in whole microseconds
 * @param ordinal zero for the run of the slot itself, else the count of manual runs
 */
public record RunId(long schedule, Instant slot, int ordinal) implements Comparable<RunId> {
  /* UUID version 8: 48 bits of milliseconds, 10 of microseconds, then 2 + 44 bits of the schedule
   * around the variant, then 16 of the ordinal. */
  private static final long MAX_SCHEDULE = (1L << 46) - 1;
  private static final int MAX_ORDINAL = Short.MAX_VALUE;
  private static final Instant END_OF_SLOTS = Instant.ofEpochMilli(1L << 48);

  public RunId {
    if (schedule < 0 || schedule > MAX_SCHEDULE) {
      throw new IllegalArgumentException("no run belongs to schedule number " + schedule);
    }
    if (ordinal < 0 || ordinal > MAX_ORDINAL) {
      throw new IllegalArgumentException("no run has ordinal " + ordinal);
    }
    slot = slot.truncatedTo(ChronoUnit.MICROS);
    if (slot.isBefore(Instant.EPOCH) || !slot.isBefore(END_OF_SLOTS)) {
      throw new IllegalArgumentException("a slot must be from 1970 to 10889; was " + slot);
    }
  }

  /** Return the identifier as others see it. */
  public UUID uuid() {
    long micros = slot.get(ChronoField.MICRO_OF_SECOND) % 1_000;
    long high = slot.toEpochMilli() << 16 | 0x8000L | micros << 2 | schedule >>> 44;
    long low = 1L << 63 | (schedule & (1L << 44) - 1) << 16 | ordinal;
    return new UUID(high, low);
  }

  /** Read an identifier; empty if no run can have it. */
  public static Optional<RunId> of(UUID id) {
    long high = id.getMostSignificantBits();
    long low = id.getLeastSignificantBits();
    long micros = high >>> 2 & 0x3FF;
    long ordinal = low & 0xFFFF;
    if (id.version() != 8 || low >>> 60 != 8 || micros > 999 || ordinal > MAX_ORDINAL) {
      return Optional.empty();
    }
    Instant slot = Instant.ofEpochMilli(high >>> 16).plusNanos(micros * 1_000);
    long schedule = (high & 3) << 44 | (low >>> 16 & (1L << 44) - 1);
    return Optional.of(new RunId(schedule, slot, (int) ordinal));
  }

  /** Read the text of an identifier; empty if no run can have it. */
  public static Optional<RunId> parse(String text) {
    try {
      return text.length() == 36 ? of(UUID.fromString(text)) : Optional.empty();
    } catch (IllegalArgumentException notAnId) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(RunId other) {
    int bySchedule = Long.compare(schedule, other.schedule);
    int bySlot = bySchedule != 0 ? bySchedule : slot.compareTo(other.slot);
    return bySlot != 0 ? bySlot : Integer.compare(ordinal, other.ordinal);
  }

  @Override
  public String toString() {
    return uuid().toString();
  }
}
