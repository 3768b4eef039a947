package dev.carillon.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How many fires of schedules are due in each minute of a period to come, as things stand.
 *
 * @param from the beginning of the period
 * @param to its end, which is not part of it
 * @param firstMinute the minute of {@code from}
 * @param fires how many fires are due in each minute from the first one on, by their due times
 * @param schedules the schedules that were looked at
 * @param worst the minutes with the most fires, up to ten, the worst first
 * @param spreading what spreading the fires would do
 */
public record LoadForecast(
    Instant from,
    Instant to,
    Instant firstMinute,
    List<Long> fires,
    Coverage schedules,
    List<BusyMinute> worst,
    Spreading spreading) {

  public LoadForecast {
    fires = List.copyOf(fires);
    worst = List.copyOf(worst);
  }

  /** Return how many fires are due in the whole period. */
  public long totalFires() {
    return fires.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * How many schedules were looked at, and of which not all is known.
   *
   * @param firing those with fires in the period
   * @param onlyNextKnown those whose interval is measured from the end of a run, perhaps without
   *     those that do not fire in the period: of these only the next fire is counted, as the others
   *     are not known yet
   * @param pausedWithoutEnd those that are paused until they are resumed; they have no fires
   * @param unreadable those whose definition this version cannot read; they have no fires
   * @param withoutJitter those that fire so often, with so many others, that they are counted at
   *     their slots and not at the times to which jitter moves them
   * @param withoutRules those that fire so often, with so many others, that they are counted as if
   *     they had no calendar and no quiet hours
   */
  public record Coverage(
      long firing,
      long onlyNextKnown,
      long pausedWithoutEnd,
      long unreadable,
      long withoutJitter,
      long withoutRules) {}

  /**
   * A minute with many fires.
   *
   * @param minute its beginning
   * @param fires how many are due in it
   * @param schedules of how many schedules
   * @param keys the first of their keys, up to ten, or up to 500 of a period of one minute
   */
  public record BusyMinute(Instant minute, long fires, long schedules, List<String> keys) {
    public BusyMinute {
      keys = List.copyOf(keys);
    }
  }

  /**
   * What spreading the fires would do to the worst minute, about: where exactly a fire goes depends
   * on the key of its schedule.
   *
   * @param peak the fires of the worst minute
   * @param fixedMinute how many schedules have a cron expression with one fixed minute, and no
   *     jitter
   * @param peakWithHash the fires of the worst minute if these had {@code H} as their minute
   * @param withoutJitter how many schedules fire at most every other minute, and have no jitter
   * @param peakWithJitter the fires of the worst minute if these had {@code jitter}
   * @param jitter the jitter
   * @param text the same in words
   */
  public record Spreading(
      long peak,
      long fixedMinute,
      long peakWithHash,
      long withoutJitter,
      long peakWithJitter,
      Duration jitter,
      String text) {}
}
