package dev.carillon.store.run;

import dev.carillon.model.Run;
import dev.carillon.plan.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that ended, and the verdict on its run.
 *
 * @param progress its last progress, if that is not written already
 */
public record AttemptEnd(
    Run run, Verdict verdict, Instant startedAt, Instant endedAt, Optional<String> progress) {

  public AttemptEnd(Run run, Verdict verdict, Instant startedAt, Instant endedAt) {
    this(run, verdict, startedAt, endedAt, Optional.empty());
  }
}
