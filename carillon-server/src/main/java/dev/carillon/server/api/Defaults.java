package dev.carillon.server.api;

import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.time.Jitter;

/**
 * What schedules get that do not say.
 *
 * @param overlap their overlap rule
 * @param sourceCatchUp the catch-up of those that are made in the words of the source contracts
 * @param jitter their jitter
 */
public record Defaults(Overlap overlap, CatchUp sourceCatchUp, Jitter jitter) {
  /** As the library has it. */
  public static final Defaults DEFAULT_VALUE =
      new Defaults(Overlap.SKIP, CatchUp.skip(), Jitter.NONE);

  /** Return the overlap that {@code rule} names, with the usual cap. */
  public static Overlap overlap(Overlap.Rule rule) {
    return rule == Overlap.Rule.QUEUE ? Overlap.QUEUE : new Overlap(rule, 0);
  }
}
