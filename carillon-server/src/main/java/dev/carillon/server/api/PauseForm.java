package dev.carillon.server.api;

import dev.carillon.model.Pause;
import dev.carillon.server.read.JsonFields;
import java.time.Instant;
import java.util.Optional;

/** A pause as it is asked for: why, from when and until when. */
final class PauseForm {
  private PauseForm() {}

  /** Return the pause of {@code fields}; empty if something is wrong with it. */
  static Optional<Pause> read(JsonFields fields, Optional<String> reason) {
    Optional<Instant> from = fields.instant("from");
    Optional<Instant> until = fields.instant("until");
    return reason
        .flatMap(why -> fields.tried("reason", () -> Pause.because(why)))
        .map(pause -> fields.set(pause, "from", from, Pause::beginning))
        .map(pause -> fields.set(pause, "until", until, Pause::ending));
  }
}
