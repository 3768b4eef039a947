package dev.carillon.server.api;

import dev.carillon.model.Pause;
import dev.carillon.server.read.JsonFields;
import java.util.Optional;

/** Why a schedule is paused, which has to be said. */
public final class PauseReason {
  private static final String WHY =
      "pausing needs a reason: it is shown to whoever wonders why nothing runs";

  private PauseReason() {}

  /** Return the reason that {@code fields} must have. */
  public static Optional<String> read(JsonFields fields) {
    Optional<String> reason = fields.needed("reason", WHY);
    reason.ifPresent(why -> fields.tried("reason", () -> new Pause(why, Optional.empty())));
    return reason;
  }
}
