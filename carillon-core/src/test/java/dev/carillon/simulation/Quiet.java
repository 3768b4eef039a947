package dev.carillon.simulation;

import dev.carillon.event.EngineLoop;
import dev.carillon.model.RunId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The end of a story: nothing goes wrong any more, until everything due is done. */
final class Quiet {
  private static final int MAX_ROUNDS = 500;
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(25);
  private static final Duration BEAT = Duration.ofSeconds(4);

  private final World world;
  private Set<RunId> late = Set.of();

  Quiet(World world) {
    this.world = world;
  }

  void reach() {
    world.faults().end();
    late = findLate();
    world.nodes().forEach(node -> node.freezeUntil(Instant.MIN));
    while (world.nodes().size() < 2) {
      world.join();
    }
    Instant end = world.clock().instant().plus(LONG_ENOUGH);
    int before = 0;
    int endedBefore = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      turnAll(round);
      int busy = busy();
      if (busy == 0 && !world.clock().instant().isBefore(end)) {
        return;
      }
      int ended = count("select count(*) as due from carillon.history");
      if (busy == 0 || (busy == before && ended == endedBefore)) {
        world.advance(BEAT); // not while something gets done: as much may become due meanwhile
      }
      before = busy;
      endedBefore = ended;
    }
    world.broken("comes to rest", "%s things are still due".formatted(busy()));
  }

  /** Return the runs that were planned, due and not started when all was well again. */
  Set<RunId> late() {
    return late;
  }

  private Set<RunId> findLate() {
    String sql =
        """
        select schedule_id, slot
          from carillon.run
         where trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null
           and ordinal = 0
           and due_at <= '%s'
        """
            .formatted(world.clock().instant());
    return Set.copyOf(
        read(
            sql,
            row -> new RunId(row.getLong("schedule_id"), Rows.at(row, "slot").orElseThrow(), 0)));
  }

  /* One node after the other leads; the rest finish what they have. */
  private void turnAll(int round) {
    List<SimNode> nodes = world.nodes();
    for (SimNode node : nodes) {
      node.time().sync();
      world.turn(node, EngineLoop.HEARTBEAT);
    }
    SimNode leading = nodes.get(round % nodes.size());
    for (EngineLoop step :
        List.of(
            EngineLoop.RECOVERY,
            EngineLoop.PLANNING,
            EngineLoop.CLAIMING,
            EngineLoop.EXPIRY,
            EngineLoop.DEADLINES)) {
      world.turn(leading, step);
    }
    for (SimNode node : nodes) {
      world.turn(node, EngineLoop.LAUNCHING);
      world.act(node, "works", () -> node.work(Integer.MAX_VALUE));
      for (Bell.Ringing one : node.ringing()) {
        world.act(node, "finishes", () -> node.bell().finish(one));
      }
      world.turn(node, EngineLoop.COMPLETION);
    }
    world.outside().reportAll();
    for (SimWorker worker : world.workers()) {
      worker.completeAll(leading);
      worker.claim(leading);
      worker.completeAll(leading);
    }
  }

  private int busy() {
    Instant now = world.clock().instant();
    String sql =
        """
        select (select count(*) from carillon.run where coalesce(started_at, wake_at) <= '%1$s')
               + (select count(*) from carillon.cursor where least(plan_by, next_slot) <= '%1$s')
               + (select count(*) from carillon.deadline where at <= '%1$s')
               + (select count(*) from carillon.node where lease_until <= '%1$s')
               + (select count(*) from carillon.schedule where paused_until <= '%1$s' or pause_from <= '%1$s')
               + (select count(*) from carillon.replan where done_at is null) as due
        """
            .formatted(now);
    return count(sql);
  }

  private int count(String sql) {
    return read(sql, row -> row.getInt("due")).get(0);
  }

  private <T> List<T> read(String sql, Rows.ToValue<T> reader) {
    try {
      Connection connection = world.connections().take();
      try {
        return Rows.read(connection, sql, reader);
      } finally {
        world.connections().giveBack(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
