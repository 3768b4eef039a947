package dev.carillon.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A PostgreSQL process that is started again, on the same port, when it ends by itself: at most
 * five times within ten minutes.
 */
final class KeptPostgres {
  private static final int MAX_RESTARTS = 5;
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final PostgresCluster cluster;
  private final Consumer<String> progress;
  private final CountDownLatch closing = new CountDownLatch(1);

  private final RestartLimit limit;
  private volatile PostgresProcess process;
  private volatile Optional<String> problem = Optional.empty();

  private KeptPostgres(
      PostgresCluster cluster,
      PostgresProcess process,
      RestartLimit limit,
      Consumer<String> progress) {
    this.limit = limit;
    this.cluster = cluster;
    this.process = process;
    this.progress = progress;
  }

  /** Start a server and keep it running, unless its folder ends with it. */
  static KeptPostgres start(PostgresCluster cluster, Consumer<String> progress) {
    return start(cluster, new RestartLimit(MAX_RESTARTS, PERIOD, FIRST_PAUSE), progress);
  }

  static KeptPostgres start(
      PostgresCluster cluster, RestartLimit limit, Consumer<String> progress) {
    PostgresProcess process = PostgresProcess.start(cluster, progress);
    var kept = new KeptPostgres(cluster.onPort(process.port()), process, limit, progress);
    if (!cluster.folder().isTemporary()) {
      process.onExit(kept::restart);
    }
    return kept;
  }

  int port() {
    return process.port();
  }

  /** Return why no server runs now; empty if one does. */
  Optional<String> problem() {
    return process.alive()
        ? Optional.empty()
        : problem.or(() -> Optional.of("the embedded PostgreSQL has ended"));
  }

  boolean alive() {
    return process.alive();
  }

  private void restart() {
    String why = "it ended by itself";
    while (closing.getCount() > 0) {
      Optional<Duration> pause = limit.pause(Instant.now());
      if (pause.isEmpty()) {
        giveUp(why);
        return;
      }
      problem = Optional.of("the embedded PostgreSQL is being restarted: " + why);
      progress.accept(
          "PostgreSQL is not running: %s; restarting it%s"
              .formatted(
                  why, pause.get().isZero() ? "" : " in %s s".formatted(pause.get().toSeconds())));
      try {
        if (closing.await(pause.get().toMillis(), TimeUnit.MILLISECONDS) || !again()) {
          return;
        }
        progress.accept("PostgreSQL is running again");
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (PostgresException e) {
        why = String.valueOf(e.getMessage());
      }
    }
  }

  private synchronized boolean again() {
    if (closing.getCount() == 0) {
      return false;
    }
    PostmasterFile.of(cluster.folder().cluster()).ifPresent(PostmasterFile::stop);
    process = PostgresProcess.start(cluster, step -> {});
    process.onExit(this::restart);
    return true;
  }

  private void giveUp(String why) {
    String given =
        "the embedded PostgreSQL was restarted %s and is not again: %s; look into %s, then start Carillon again"
            .formatted(limit, why, cluster.folder().log());
    problem = Optional.of(given);
    progress.accept(given);
  }

  /** Stop the server; it stays so. Safe to call twice. */
  void stop() {
    closing.countDown();
    synchronized (this) {
      process.stop();
    }
  }
}
