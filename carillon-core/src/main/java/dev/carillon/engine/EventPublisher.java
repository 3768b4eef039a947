package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events to the listeners; what one of them throws, or the interrupt it leaves behind,
 * reaches neither the others nor the engine.
 */
public final class EventPublisher implements Consumer<Event> {
  private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);

  private final List<Listener> listeners;

  public EventPublisher(List<Listener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void accept(Event event) {
    for (Listener listener : listeners) {
      try {
        listener.on(event);
      } catch (
          Throwable
              e) { // user code: an error in it must not end a loop, nor publish the event twice
        ThrowableText.log(LOG, "a listener failed on " + event.getClass().getSimpleName(), e);
      }
      Loop.forgetInterrupt();
    }
  }
}
