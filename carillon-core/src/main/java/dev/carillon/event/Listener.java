package dev.carillon.event;

/**
 * Is called with what happened, after it is durable. Called on the scheduler's own threads: be
 * quick, and hand longer work to a thread of your own. What it throws is logged and goes no
 * further.
 */
@FunctionalInterface
public interface Listener {
  /** Handle {@code event}. */
  void on(Event event);
}
