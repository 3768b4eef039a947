package dev.carillon.server.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that an executor repeats: what a turn throws would make it the last one, and no other part
 * would notice.
 *
 * @param name what it is called in the log
 * @param task one turn
 */
public record EnduringTask(String name, Runnable task) implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(EnduringTask.class);

  @Override
  public void run() {
    try {
      task.run();
    } catch (Throwable e) {
      try {
        LOG.error("{} failed and goes on", name, e);
      } catch (Throwable noMemory) { // not even to say so; the next turn may have some
        Thread.onSpinWait();
      }
    }
  }
}
