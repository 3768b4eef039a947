package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.Database;
import dev.carillon.store.SettleStore;
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
record Parts(
    Database database,
    SettleStore settles,
    InstantSource time,
    EngineSettings settings,
    Consumer<Event> events) {

  static Parts on(
      Database database,
      Stores stores,
      InstantSource time,
      EngineSettings settings,
      Consumer<Event> events) {
    return new Parts(
        database.publishingTo(events).planningEachCall(settings.lease()),
        new SettleStore(stores.aftermath()),
        time,
        settings,
        events);
  }

  /** Publish what happened outside of a transaction. */
  void publish(Event event) {
    events.accept(event);
  }
}
