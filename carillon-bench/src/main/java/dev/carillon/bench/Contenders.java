package dev.carillon.bench;

import dev.carillon.event.Listener;

/** Opens the same contender on the same database, once for each step of a measurement. */
@FunctionalInterface
public interface Contenders {

  /**
   * Open a contender that does not execute yet, with connections of its own.
   *
   * @param listener receives what happens, if the contender has events as Carillon has
   */
  Opened open(Listener listener) throws InterruptedException;

  /** Open a contender whose events do not matter. */
  default Opened open() throws InterruptedException {
    return open(event -> {});
  }

  /**
   * An open contender.
   *
   * @param contender what is measured
   * @param disconnect closes its connections
   */
  record Opened(Contender contender, Runnable disconnect) implements AutoCloseable {
    @Override
    public void close() {
      contender.close();
      disconnect.run();
    }
  }
}
