package dev.carillon.server.api.compat;

import java.util.Optional;
import java.util.UUID;

/**
 * The identity of a cron job: one version of a schedule. Written as a UUID from which both can be
 * read back.
 *
 * @param schedule the number of the schedule
 * @param version the version of its definition
 */
record CronJobId(long schedule, int version) {
  /* UUID version 8: 48 bits of the schedule before the version, 32 of the version at the end. */
  private static final long MARK = 0x8000L;
  private static final long VARIANT = 1L << 63;
  private static final int LENGTH = 36;

  /** Read the text of an identifier; empty if no job can have it. */
  static Optional<CronJobId> parse(String text) {
    try {
      return text.length() == LENGTH ? of(UUID.fromString(text)) : Optional.empty();
    } catch (IllegalArgumentException notAnId) {
      return Optional.empty();
    }
  }

  private static Optional<CronJobId> of(UUID id) {
    long schedule = id.getMostSignificantBits() >>> 16;
    long version = id.getLeastSignificantBits() & Integer.MAX_VALUE;
    var job = new CronJobId(schedule, (int) version);
    return job.uuid().equals(id) ? Optional.of(job) : Optional.empty();
  }

  private UUID uuid() {
    return new UUID(schedule << 16 | MARK, VARIANT | version);
  }

  @Override
  public String toString() {
    return uuid().toString();
  }
}
