package dev.carillon.cli.bench;

import dev.carillon.bench.CarillonContender;
import dev.carillon.bench.Contenders;
import dev.carillon.bench.Progress;
import dev.carillon.event.Event;
import dev.carillon.event.Listener;
import dev.carillon.server.ConnectionPool;

/** Opens nodes with default settings on a database, connected as {@code carillon serve} is. */
record Nodes(Scratch database, Progress progress) implements Contenders {
  @Override
  public Opened open(Listener listener) {
    ConnectionPool pool = database.pool();
    return new Opened(
        new CarillonContender(
            pool.connections(),
            builder -> builder.nodeName("bench").listener(listener).listener(this::warn)),
        pool::close);
  }

  private void warn(Event event) {
    if (event instanceof Event.TurnFailed failed) {
      progress.note(
          "warning: %s failed and was tried again: %s"
              .formatted(failed.loop().threadName(), failed.problem()));
    }
  }
}
