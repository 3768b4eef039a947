package dev.carillon.plan;

import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.RunPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Runs to be judged. */
public final class Runs {
  static final Instant SLOT = Instant.parse("2026-03-02T10:00:00Z");

  private Runs() {}

  /** Return a run that is in its attempt number {@code attempt}. */
  static Run running(int attempt, RunPolicy policy, Optional<String> askedToStop) {
    return run(new RunId(7, SLOT, 0), RunState.RUNNING, attempt, Overlap.SKIP, policy, askedToStop);
  }

  /** Return a run that began its first attempt with its slot. */
  static Run begun(RunPolicy policy) {
    Run due =
        run(new RunId(7, SLOT, 0), RunState.PENDING, 0, Overlap.SKIP, policy, Optional.empty());
    return due.claimedBy(new UUID(1, 2), SLOT);
  }

  /** Return the run number {@code number} of a lane, waiting to be claimed. */
  public static Run due(long lane, int number, Overlap overlap) {
    var id = new RunId(lane, SLOT.plusSeconds(number), 0);
    return run(id, RunState.PENDING, 0, overlap, RunPolicy.DEFAULT, Optional.empty());
  }

  private static Run run(
      RunId id,
      RunState state,
      int attempt,
      Overlap overlap,
      RunPolicy policy,
      Optional<String> reason) {
    return new Run(
        id,
        Optional.of("report"),
        1,
        Trigger.SCHEDULED,
        "log",
        Payload.EMPTY,
        id.slot(),
        state,
        attempt,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        reason,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        overlap,
        policy,
        List.of(),
        Optional.empty());
  }
}
