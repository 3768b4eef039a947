package dev.carillon.server.api;

import dev.carillon.ScheduleDraft;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.server.read.JsonFields;
import dev.carillon.time.Jitter;
import java.time.Duration;

/**
 * What schedules get that do not say.
 *
 * @param overlap their overlap rule
 * @param sourceCatchUp the catch-up of those that are made in the words of the source contracts
 * @param jitter their jitter
 */
public record Defaults(Overlap overlap, CatchUp sourceCatchUp, Jitter jitter) {
  /** As the library has it. */
  public static final Defaults BUILT_IN = new Defaults(Overlap.SKIP, CatchUp.skip(), Jitter.NONE);

  /** Return {@code draft} with the overlap rule in {@code overlap_policy}, or the default one. */
  public ScheduleDraft overlapping(JsonFields fields, ScheduleDraft draft) {
    return fields
        .word("overlap_policy", Overlap.Rule.class)
        .map(draft::overlap)
        .orElseGet(() -> draft.overlap(overlap));
  }

  /** Return the jitter in {@code jitter_ms}, at most {@code most}, or the default one. */
  public Jitter jitter(JsonFields fields, Duration most) {
    return fields
        .whole("jitter_ms", 0, most.toMillis())
        .map(millis -> Jitter.around(Duration.ofMillis(millis)))
        .orElse(jitter);
  }
}
