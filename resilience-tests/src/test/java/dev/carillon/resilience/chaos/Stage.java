package dev.carillon.resilience.chaos;

import dev.carillon.fixture.Await;
import dev.carillon.resilience.cluster.Cluster;
import dev.carillon.resilience.cluster.Commands;
import dev.carillon.resilience.cluster.Journal;
import dev.carillon.resilience.cluster.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Two nodes, a PostgreSQL and the journal, in a folder that is deleted afterwards. */
final class Stage implements AutoCloseable {
  private static final List<String> SETTINGS =
      List.of("fsync=off", "shared_buffers=32MB", "max_connections=70");
  private static final Duration WORK = Duration.ofMillis(400);

  private final Deque<Runnable> open = new ArrayDeque<>();
  private final Path folder = Commands.folder("carillon-chaos");
  private final Surroundings surroundings;
  private final Journal journal;
  private final Cluster cluster;

  private Stage(Setup setup) throws IOException {
    open.push(() -> Commands.delete(folder));
    try {
      PostgresServer postgres;
      switch (setup) {
        case PLAIN -> {
          postgres = opened(PostgresServer.create(folder, SETTINGS));
          surroundings = Surroundings.untouched();
        }
        case STANDBY -> {
          postgres = opened(PostgresServer.create(folder, SETTINGS));
          surroundings = Surroundings.withStandby(opened(synchronousStandby(postgres)));
        }
        case SMALL_DISK -> {
          Path disk = mountSmallDisk();
          postgres = opened(PostgresServer.create(disk, SETTINGS));
          surroundings = Surroundings.withSmallDisk(disk.resolve("ballast"));
        }
        case STEPPED_CLOCK -> {
          Path clock = folder.resolve("clock");
          Surroundings.setClock(clock, Duration.ZERO);
          postgres =
              opened(
                  PostgresServer.create(
                      folder,
                      SETTINGS,
                      List.of(
                          "LD_PRELOAD=" + Setup.FAKETIME,
                          "FAKETIME_TIMESTAMP_FILE=" + clock,
                          "FAKETIME_NO_CACHE=1",
                          "FAKETIME_DONT_FAKE_MONOTONIC=1",
                          "DONT_FAKE_MONOTONIC=1")));
          surroundings = Surroundings.withClock(clock);
        }
        default -> throw new IllegalArgumentException(setup.name());
      }
      journal = new Journal(folder.resolve("journal.tsv"), WORK);
      open.push(journal::close);
      cluster =
          Cluster.start(
              postgres,
              folder.resolve("nodes"),
              2,
              List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
              Map.of());
      open.push(cluster::close);
    } catch (IOException | RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  static Stage open(Setup setup) throws IOException {
    return new Stage(setup);
  }

  private PostgresServer opened(PostgresServer server) {
    open.push(server::close);
    return server;
  }

  private PostgresServer synchronousStandby(PostgresServer primary) {
    PostgresServer standby = primary.standby(folder, "standby");
    primary.execute("alter system set synchronous_standby_names = 'standby'");
    primary.execute("select pg_reload_conf()");
    Await.until(
        "the standby",
        () ->
            primary.number("select count(*) from pg_stat_replication where sync_state = 'sync'")
                == 1);
    return standby;
  }

  private Path mountSmallDisk() throws IOException {
    Path disk = folder.resolve("disk");
    Commands.mountSmallDisk(disk, "320m");
    open.push(() -> Commands.run("umount", disk.toString()));
    return disk;
  }

  Cluster cluster() {
    return cluster;
  }

  Journal journal() {
    return journal;
  }

  Surroundings surroundings() {
    return surroundings;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }
}
