package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.run.SettleStore;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What most steps need.
 *
 * @param database where everything is; publishes the events of its transactions
 * @param settles how ends are written
 * @param time the database's clock
 * @param settings how the engine works
 * @param events publishes what happened outside of a transaction
 */
public record EngineContext(
    Database database,
    SettleStore settles,
    InstantSource time,
    EngineSettings settings,
    Consumer<Event> events) {

  static EngineContext on(
      Database database,
      Stores stores,
      InstantSource time,
      EngineSettings settings,
      Consumer<Event> events) {
    return new EngineContext(
        database.publishingTo(events).planningEachCall(settings.lease()),
        new SettleStore(),
        time,
        settings,
        events);
  }

  /** Publish what happened outside of a transaction. */
  public void publish(Event event) {
    events.accept(event);
  }
}
