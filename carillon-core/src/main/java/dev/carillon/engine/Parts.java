package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.Database;
import dev.carillon.store.SettleStore;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What most steps need.
 *
 * @param database where everything is
 * @param settles how ends are written
 * @param notices what a transaction has to tell once it is durable
 * @param time the database's clock
 * @param settings how the engine works
 * @param events where to tell what happened
 */
record Parts(
    Database database,
    SettleStore settles,
    Notices notices,
    InstantSource time,
    EngineSettings settings,
    Consumer<Event> events) {

  /** Do {@code work} in one transaction, and tell what it noticed once that is durable. */
  <T> T inTransaction(Supplier<T> work) {
    T result =
        database.inTransaction(
            () -> {
              notices.clear();
              database.hurry(settings.lease());
              return work.get();
            });
    notices.take().forEach(events);
    return result;
  }
}
