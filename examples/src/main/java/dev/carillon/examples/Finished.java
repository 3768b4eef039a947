package dev.carillon.examples;

import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener with which a program waits for its runs to be over. */
final class Finished implements Listener {
  private final BlockingQueue<Event.Finished> runs = new LinkedBlockingQueue<>();

  @Override
  public void on(Event event) {
    if (event instanceof Event.Finished finished) {
      runs.add(finished);
    }
  }

  /** Return the next run that is over, in the order in which they ended. */
  Event.Finished next() throws InterruptedException {
    Event.Finished next = runs.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("no run was over within 30 s");
    }
    return next;
  }
}
