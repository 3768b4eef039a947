package dev.carillon.engine;

import dev.carillon.engine.Escalations.Escalation;
import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.Payload;
import dev.carillon.model.Ping;
import dev.carillon.model.PingCheck;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.ping.PingStore;
import dev.carillon.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether work that pings failed, or did not succeed in time. A check that is down is
 * escalated once, until it succeeds.
 */
final class PingDownCheck implements Step {
  private static final int BATCH = 500;

  private final EngineContext engine;
  private final Escalations escalations;

  PingDownCheck(EngineContext engine, Escalations escalations) {
    this.engine = engine;
    this.escalations = escalations;
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = engine.settings().poll();
    Duration longRest = engine.settings().longRest();
    Optional<Duration> wait =
        new PingStore(engine.database()).next().map(at -> Duration.between(now, at));
    if (wait.filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      int looked = engine.database().inTransaction(tx -> look(tx, now));
      return looked == BATCH ? Duration.ZERO : poll;
    }
    return wait.map(left -> Step.shorter(left, longRest)).orElse(longRest);
  }

  private int look(Transaction tx, Instant now) {
    var store = new PingStore(tx);
    List<PingCheck> due = store.lockDue(now, BATCH);
    var down = new ArrayList<PingCheck>();
    for (PingCheck check : due) {
      boolean isDown = check.isDown(now);
      boolean isTold = check.toldDownSince().isPresent();
      if (check.downSince().isPresent() && !(isDown && isTold)) {
        tx.publish(new Event.PingUp(now, check.key()));
      }
      if (isDown && !isTold) {
        down.add(check);
      }
      // what is down stays so until it pings or is changed, and then it is looked at
      store.update(
          check.key(),
          isDown ? Optional.empty() : check.overdueAt(),
          isDown ? check.toldDownSince().or(() -> Optional.of(now)) : Optional.empty());
    }
    escalate(tx, store, down, now);
    return due.size();
  }

  private void escalate(Transaction tx, PingStore store, List<PingCheck> down, Instant now) {
    List<PingCheck> telling = down.stream().filter(one -> one.escalateTo().isPresent()).toList();
    List<RunRef> runs =
        escalations.insert(
            tx, telling.stream().map(check -> escalation(store, check, now)).toList(), now);
    for (PingCheck check : down) {
      int told = telling.indexOf(check);
      tx.publish(
          new Event.PingDown(
              now,
              check.key(),
              check.since(),
              told < 0 ? Optional.empty() : Optional.of(runs.get(told))));
    }
  }

  private static Escalation escalation(PingStore store, PingCheck check, Instant now) {
    String cause = "ping:" + check.key();
    return new Escalation(
        check.escalateTo().orElseThrow(),
        story(check, last(store, check), now),
        cause,
        Optional.empty());
  }

  /* What a failure said, also if the work has begun anew since. */
  private static Optional<Ping> last(PingStore store, PingCheck check) {
    return store.recent(check.key()).stream()
        .filter(ping -> !check.hasFailed() || ping.kind() == Ping.Kind.FAIL)
        .findFirst();
  }

  private static Payload story(PingCheck check, Optional<Ping> last, Instant now) {
    Duration silent = Duration.between(check.since(), now).truncatedTo(ChronoUnit.SECONDS);
    var story = new LinkedHashMap<String, @Nullable Object>();
    story.put("event", check.hasFailed() ? "ping.failed" : "ping.overdue");
    story.put(
        "text",
        check.hasFailed()
            ? "ping '%s' reported a failure at %s"
                .formatted(check.key(), check.lastFail().orElseThrow())
            : "ping '%s' has not succeeded since %s, for %s; expected is %s"
                .formatted(
                    check.key(),
                    check.since(),
                    DurationText.of(silent),
                    check.expect().describe()));
    story.put("ping", check.key());
    story.put("description", check.description());
    story.put("since", check.since().toString());
    story.put("lastStart", check.lastStart().map(Instant::toString).orElse(null));
    story.put("lastSuccess", check.lastSuccess().map(Instant::toString).orElse(null));
    story.put("lastFail", check.lastFail().map(Instant::toString).orElse(null));
    story.put("exitCode", last.flatMap(Ping::exitCode).orElse(null));
    story.put("output", last.flatMap(Ping::output).orElse(null));
    return Payload.of(story);
  }
}
