package dev.carillon.server.api;

import dev.carillon.model.Pause;
import dev.carillon.server.read.JsonFields;
import java.time.Instant;
import java.util.Optional;

/** A pause as it is asked for: why, from when and until when. */
public final class PauseForm {
  private static final String WHY =
      "pausing needs a reason: it is shown to whoever wonders why nothing runs";

  private PauseForm() {}

  /** Return the reason that {@code fields} must have. */
  public static Optional<String> reason(JsonFields fields) {
    Optional<String> reason = fields.needed("reason", WHY);
    reason.ifPresent(why -> fields.tried("reason", () -> new Pause(why, Optional.empty())));
    return reason;
  }

  /** Return the pause of {@code fields}; empty if something is wrong with it. */
  static Optional<Pause> read(JsonFields fields, Optional<String> reason) {
    Optional<Instant> from = fields.instant("from");
    Optional<Instant> until = fields.instant("until");
    return reason
        .flatMap(why -> fields.tried("reason", () -> Pause.because(why)))
        .map(pause -> fields.set(pause, "from", from, Pause::startingAt))
        .map(pause -> fields.set(pause, "until", until, Pause::endingAt));
  }
}
