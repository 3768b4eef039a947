package dev.carillon.engine;

import dev.carillon.event.Event.RunRef;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Payload;
import dev.carillon.model.RunId;
import dev.carillon.policy.Retry;
import dev.carillon.policy.RunPolicy;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Announcement;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.RunStore.AdHoc;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inserts runs that tell others of something that did not happen in time. */
final class Escalations {
  private static final String ENGINE = "carillon";
  private static final int MAX_CAUSE = 200;

  /* Whoever is to be told may be away for a moment. */
  private static final RunPolicy POLICY = RunPolicy.DEFAULT.retry(Retry.times(5));

  private final EngineContext engine;

  Escalations(EngineContext engine) {
    this.engine = engine;
  }

  /**
   * A run to insert.
   *
   * @param story what it is given
   * @param cause by which it is found, and which the audit names
   * @param schedule the number of the schedule it is about, if any
   */
  record Escalation(String target, Payload story, String cause, Optional<Long> schedule) {
    Escalation {
      cause = cut(cause);
    }

    /* Not within a surrogate pair, which cannot be stored by halves. */
    private static String cut(String cause) {
      if (cause.length() <= MAX_CAUSE) {
        return cause;
      }
      boolean inPair = Character.isHighSurrogate(cause.charAt(MAX_CAUSE - 1));
      return cause.substring(0, inPair ? MAX_CAUSE - 1 : MAX_CAUSE);
    }
  }

  /** Insert runs that are due at {@code now}, and return them in the same order. */
  List<RunRef> insert(Transaction tx, List<Escalation> escalations, Instant now) {
    if (escalations.isEmpty()) {
      return List.of();
    }
    var by = new ChangedBy(now, ENGINE);
    List<RunId> ids =
        engine
            .stores()
            .runs()
            .enqueue(tx, escalations.stream().map(one -> run(one, now)).toList(), by);
    var refs = new ArrayList<RunRef>();
    var lines = new ArrayList<AuditStore.Line>();
    for (int i = 0; i < ids.size(); i++) {
      Escalation one = escalations.get(i);
      refs.add(new RunRef(ids.get(i), Optional.empty(), one.target));
      lines.add(
          new AuditStore.Line(
              one.schedule,
              "run.escalated",
              Map.of(
                  "cause", one.cause, "escalation", ids.get(i).toString(), "target", one.target)));
    }
    AuditStore.insert(tx, lines, by);
    Announcement.RUN.publish(tx);
    tx.afterCommit(engine.wakeups()::wakeClaimers);
    return refs;
  }

  private static AdHoc run(Escalation escalation, Instant now) {
    return new AdHoc(
        escalation.target,
        escalation.story,
        now,
        now,
        POLICY,
        Optional.of(escalation.cause),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
