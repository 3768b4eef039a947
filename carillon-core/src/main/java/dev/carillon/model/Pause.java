package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Why a schedule does not fire, and until when.
 *
 * @param reason for whoever wonders
 * @param until when it resumes by itself; empty if somebody has to resume it
 */
public record Pause(String reason, Optional<Instant> until) {
  /** The longest reason accepted. */
  public static final int LONGEST_REASON = 1_000;

  public Pause {
    if (reason.isBlank() || reason.length() > LONGEST_REASON || reason.indexOf(0) >= 0) {
      throw new IllegalArgumentException(
          "a pause needs a reason of 1 to "
              + LONGEST_REASON
              + " characters: it is shown to whoever"
              + " wonders why nothing runs");
    }
  }
}
