package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.model.Run;
import dev.carillon.plan.PolicyTimes;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.StoreException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the parts of a node share.
 *
 * @param database where everything is; publishes the events of its transactions
 * @param stores the stores on it
 * @param time the database's clock
 * @param settings how the engine works
 * @param membership which node this is, and until when it holds its lease
 * @param targets what runs on this node
 * @param inFlight the runs this node works on
 * @param wakeups wakes the loops
 * @param events publishes what happened outside of a transaction
 * @param templates the payloads that are filled in for each attempt
 */
public record EngineContext(
    Database database,
    Stores stores,
    NodeTime time,
    EngineSettings settings,
    Membership membership,
    NodeTargets targets,
    InFlight inFlight,
    Wakeups wakeups,
    Consumer<Event> events,
    PayloadTemplates templates) {
  public EngineContext {
    database = database.publishingTo(events).planningEachCall(settings.lease());
  }

  /** Return the same, on connections of {@code other}. */
  EngineContext on(Database other) {
    return new EngineContext(
        other,
        Stores.on(other),
        time,
        settings,
        membership,
        targets,
        inFlight,
        wakeups,
        events,
        templates);
  }

  /** Return the time by the database's clock. */
  public Instant now() {
    return time.instant();
  }

  /** Return a run whose attempt starts by {@code now} with its timeout as time passes. */
  public Run starting(Statements statements, Run run, Instant now) {
    return PolicyTimes.starting(run, name -> stores.workingCalendars().find(statements, name), now);
  }

  /** Return a run with the pause that follows if its attempt fails at {@code now}. */
  public Run failing(Statements statements, Run run, Instant now) {
    return PolicyTimes.failing(run, name -> stores.workingCalendars().find(statements, name), now);
  }

  /** Publish what happened outside of a transaction. */
  public void publish(Event event) {
    events.accept(event);
  }

  /** Publish that a turn of {@code loop} failed because of {@code cause}. */
  void publishFailure(EngineLoop loop, String problem, StoreException cause) {
    publish(new Event.TurnFailed(now(), loop, problem + cause.getMessage(), Optional.of(cause)));
  }
}
