package dev.carillon.store.run;

import dev.carillon.model.Run;
import dev.carillon.plan.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that ended, and what becomes of its run.
 *
 * @param run the run as it was claimed
 * @param verdict what becomes of it
 * @param startedAt when its target was called
 * @param endedAt when its target was done
 * @param progress how far it was; empty if nothing is known that is not written already
 */
public record SettledAttempt(
    Run run, Verdict verdict, Instant startedAt, Instant endedAt, Optional<String> progress) {

  /** Settle an attempt whose progress is written already, if there was any. */
  public SettledAttempt(Run run, Verdict verdict, Instant startedAt, Instant endedAt) {
    this(run, verdict, startedAt, endedAt, Optional.empty());
  }
}
