package dev.carillon.engine;

import dev.carillon.model.RunId;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.run.RunStore;
import dev.carillon.target.StopReason;
import java.util.HashMap;
import java.util.Map;

/**
 * Carries the progress of runs in hand to the database, and requests to stop from there to them.
 */
final class RunMessages {
  private final EngineContext engine;
  private final ClaimStore claims;
  private final RunStore runs;
  private final Membership membership;
  private final InFlight inFlight;

  RunMessages(EngineContext engine, Stores stores, Membership membership, InFlight inFlight) {
    this.engine = engine;
    this.claims = stores.claims();
    this.runs = stores.runs();
    this.membership = membership;
    this.inFlight = inFlight;
  }

  void writeProgress() {
    var news = new HashMap<RunId, String>();
    inFlight
        .all()
        .forEach(attempt -> attempt.newProgress().ifPresent(text -> news.put(attempt.id(), text)));
    if (!news.isEmpty()) {
      runs.progress(membership.owner(), news);
    }
  }

  void stopAsked() {
    if (inFlight.size() == 0) {
      return;
    }
    Map<RunId, String> asked =
        engine.database().inTransaction(tx -> claims.askedToStop(tx, membership.owner()));
    asked.forEach(
        (id, reason) ->
            inFlight.find(id).ifPresent(attempt -> attempt.stop(StopReason.CANCELED, reason)));
  }
}
