package dev.carillon.simulation;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** The end of a story: nothing goes wrong any more, until everything due is done. */
final class Quiet {
  private static final int MOST_ROUNDS = 150;
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(40);
  private static final Duration BEAT = Duration.ofSeconds(4);

  private final World world;

  Quiet(World world) {
    this.world = world;
  }

  void reach() {
    world.faults().end();
    world.nodes().forEach(node -> node.freezeUntil(Instant.MIN));
    while (world.nodes().size() < 2) {
      world.join();
    }
    Instant end = world.clock().instant().plus(LONG_ENOUGH);
    int before = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      world.nodes().forEach(this::turn);
      int busy = busy();
      if (busy == 0 && !world.clock().instant().isBefore(end)) {
        return;
      }
      if (busy == 0 || busy == before) {
        world.advance(BEAT);
      }
      before = busy;
    }
    world.broken("comes to rest", "%s things are still due".formatted(busy()));
  }

  private void turn(SimNode node) {
    node.time().sync();
    for (String step : new String[] {"heartbeat", "recovery", "planning", "claiming"}) {
      world.turn(node, step);
    }
    world.act(node, "works", () -> node.work(Integer.MAX_VALUE));
    for (Bell.Ringing one : node.ringing()) {
      world.act(node, "finishes", () -> node.bell().finish(one));
    }
    world.turn(node, "completion");
  }

  private int busy() {
    Instant now = world.clock().instant();
    String sql =
        """
        select (select count(*) from carillon.run where state = 'running' or wake_at <= '%1$s')
               + (select count(*) from carillon.cursor where plan_by <= '%1$s')
               + (select count(*) from carillon.node where lease_until <= '%1$s')
               + (select count(*) from carillon.schedule where paused_until <= '%1$s') as due
        """
            .formatted(now);
    try {
      Connection connection = world.connections().take();
      try {
        return Rows.read(connection, sql, row -> row.getInt("due")).get(0);
      } finally {
        world.connections().giveBack(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
