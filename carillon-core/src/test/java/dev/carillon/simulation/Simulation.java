package dev.carillon.simulation;

import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Gen;
import dev.carillon.fixture.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import javax.sql.DataSource;

/** Tells stories on a database of its own, one after the other, and has each audited. */
final class Simulation implements AutoCloseable {
  private static final int LENGTH = 70;
  private static final String CLEAR =
      """
      truncate carillon.schedule, carillon.schedule_version, carillon.cursor, carillon.run, carillon.history,
               carillon.lane, carillon.failure_streak, carillon.decision, carillon.audit, carillon.node, carillon.leader,
               carillon.run_count, carillon.run_count_delta, carillon.worker, carillon.deadline, carillon.calendar,
               carillon.calendar_version, carillon.quiet_hours, carillon.quiet_hours_version, carillon.business_time,
               carillon.replan
       restart identity cascade
      """;

  private final DataSource source;
  private final Connections connections;
  private final Auditor auditor;
  private final Plant plant;

  Simulation(PostgresServer server, Plant plant) {
    String database = server.createMigrated();
    this.source = server.dataSource(database);
    this.connections = new Connections(source);
    this.auditor = new Auditor(server.pool(database));
    this.plant = plant;
    prepare();
  }

  /* Partitions outlive a story; made by one, they would change the next. */
  private void prepare() {
    var world = new World(new Gen(0), connections, Plant.none(), new Journal(false), 0);
    world.join();
    world.turn(world.nodes().get(0), EngineLoop.HOUSEKEEPING);
  }

  /**
   * What came of a story.
   *
   * @param seed the seed that tells it again
   * @param journal what happened
   * @param runs how many runs were audited
   * @param violations the laws that were broken
   */
  record Ending(long seed, Journal journal, int runs, List<Violation> violations) {
    @Override
    public String toString() {
      return "seed %s broke%n  %s%nafter%n  %s%ntell it again with -Dsimulation.seed=%s"
          .formatted(
              seed,
              String.join(
                  System.lineSeparator() + "  ",
                  violations.stream().limit(10).map(Violation::toString).toList()),
              String.join(System.lineSeparator() + "  ", journal.last()),
              seed);
    }
  }

  Ending tell(long seed, boolean aloud) {
    execute(CLEAR);
    var gen = new Gen(seed);
    var journal = new Journal(aloud);
    var world = new World(gen, connections, plant, journal, gen.oneOf(0, 1, 1, 2, 4));
    var story = new Story(world);
    story.tell(LENGTH);
    var quiet = new Quiet(world);
    quiet.reach();
    Auditor.Findings findings =
        auditor.audit(
            world.effects(), story.users().promised(), quiet.late(), world.clock().instant());
    var violations = new LinkedHashSet<>(world.violations());
    violations.addAll(findings.violations());
    return new Ending(seed, journal, findings.runs(), new ArrayList<>(violations));
  }

  Connections connections() {
    return connections;
  }

  private void execute(String sql) {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() throws SQLException {
    connections.close();
  }
}
