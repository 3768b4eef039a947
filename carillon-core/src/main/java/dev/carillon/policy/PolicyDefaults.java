package dev.carillon.policy;

import dev.carillon.time.Every;
import dev.carillon.time.Timing;
import java.time.Duration;

/**
 * What schedules get that do not say.
 *
 * @param catchUp the catch-up of cron timings, of periods of the calendar and of one-shots;
 *     intervals of a fixed length skip what was missed, since their next slot is soon enough
 * @param queueLimit how many runs may wait in a queue
 */
public record PolicyDefaults(CatchUp catchUp, int queueLimit) {
  /**
   * One run for everything that was missed in the last day, and five minutes in which a slot is
   * merely late: a nightly run does not vanish in a redeployment.
   */
  public static final PolicyDefaults BUILT_IN =
      new PolicyDefaults(
          CatchUp.once().maxAge(Duration.ofDays(1)).grace(Duration.ofMinutes(5)),
          Overlap.QUEUE.queueLimit());

  public PolicyDefaults {
    Overlap.queue(queueLimit); // refuses what no queue can hold
  }

  /** Return the catch-up of a schedule with {@code timing}. */
  public CatchUp catchUp(Timing timing) {
    return timing instanceof Every ? CatchUp.skip().limit(catchUp.limit()) : catchUp;
  }

  /** Return the overlap that {@code rule} names. */
  public Overlap overlap(Overlap.Rule rule) {
    return rule == Overlap.Rule.QUEUE ? Overlap.queue(queueLimit) : new Overlap(rule, 0);
  }
}
