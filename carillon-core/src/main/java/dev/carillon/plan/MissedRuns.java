package dev.carillon.plan;

import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.EndReason;
import dev.carillon.policy.CatchUp;
import java.time.Instant;

/**
 * Which runs of a schedule still start that were planned and then came due while no node was alive.
 * Slots that were not planned by then are newer than all of these and are counted first, so that
 * catch-up runs as many over both as it would if none had been planned. Pure.
 *
 * @param before slots before this were missed; later ones are merely late, and start
 * @param oldest missed slots before this are too old
 * @param most how many of the other missed ones start, the newest
 * @param catchUp what says so
 * @param moves whether a calendar or quiet hours move due times, which are judged then
 */
public record MissedRuns(Instant before, Instant oldest, int most, CatchUp catchUp, boolean moves) {
  /** Judge the runs of a schedule that is as far as {@code standing} says. */
  public static MissedRuns judge(Standing standing, Instant now) {
    CatchUp catchUp = standing.definition().catchUp();
    long unplanned = Math.min(unplanned(standing, now), standing.runsLeft());
    int most =
        switch (catchUp.mode()) {
          case SKIP -> 0;
          case ONCE -> 1;
          case ALL, SPREAD -> catchUp.limit();
        };
    return new MissedRuns(
        now.minus(catchUp.grace()),
        catchUp.maxAge().map(now::minus).orElse(Instant.EPOCH),
        Math.toIntExact(Math.max(0, most - unplanned)),
        catchUp,
        !standing.moves().isNone());
  }

  private static long unplanned(Standing standing, Instant now) {
    return standing.moves().isNone()
        ? new MissedSlots(standing, now).running()
        : new MissedDues(standing, now).running(now);
  }

  /** Return why the run of {@code slot}, which was missed, does not start. */
  public Reason reason(Instant slot) {
    boolean many = catchUp.mode() == CatchUp.Mode.ALL || catchUp.mode() == CatchUp.Mode.SPREAD;
    return many && !slot.isBefore(oldest) ? Reason.LIMIT : Reason.MISSED;
  }

  /** Return with what reason the run of {@code slot}, which was missed, ends. */
  public EndReason endReason(Instant slot) {
    return EndReason.missed(whyLeftOut(slot));
  }

  private String whyLeftOut(Instant slot) {
    if (catchUp.mode() == CatchUp.Mode.SKIP) {
      return "catch-up is skip";
    }
    return slot.isBefore(oldest) ? "it is older than " + age() : others();
  }

  private String age() {
    return catchUp.maxAge().map(age -> "the " + age + " that catch-up goes back").orElse("that");
  }

  private String others() {
    return catchUp.mode() == CatchUp.Mode.ONCE
        ? "catch-up is once: a newer slot runs for it"
        : "catch-up runs at most " + catchUp.limit() + ", of which there are newer ones";
  }
}
