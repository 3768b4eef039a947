package dev.carillon.engine;

import dev.carillon.model.RunId;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.target.StopReason;
import java.util.HashMap;
import java.util.Map;

/**
 * Carries the progress of runs in flight to the database, and requests to stop from there to them.
 */
final class RunMessages {
  private final EngineContext engine;
  private final Membership membership;
  private final InFlight inFlight;

  RunMessages(EngineContext engine) {
    this.engine = engine;
    this.membership = engine.membership();
    this.inFlight = engine.inFlight();
  }

  void writeProgress() {
    var written = new HashMap<RunId, String>();
    inFlight
        .all()
        .forEach(
            attempt -> attempt.newProgress().ifPresent(text -> written.put(attempt.id(), text)));
    if (!written.isEmpty()) {
      engine.stores().runs().progress(membership.owner(), written);
    }
  }

  void stopAsked() {
    if (inFlight.size() == 0) {
      return;
    }
    ClaimStore claims = engine.stores().claims();
    Map<RunId, String> asked =
        engine.database().inTransaction(tx -> claims.askedToStop(tx, membership.owner()));
    asked.forEach(
        (id, reason) ->
            inFlight.find(id).ifPresent(attempt -> attempt.stop(StopReason.CANCELED, reason)));
  }
}
