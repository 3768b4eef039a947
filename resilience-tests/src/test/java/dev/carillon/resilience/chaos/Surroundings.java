package dev.carillon.resilience.chaos;

import dev.carillon.resilience.cluster.Cluster;
import dev.carillon.resilience.cluster.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a PostgreSQL depends on, as far as a fault can reach it: standby, disk, clock. */
public final class Surroundings {
  private final @Nullable PostgresServer standby;
  private final @Nullable Path ballast;
  private final @Nullable Path clock;
  private Duration clockStep = Duration.ZERO;
  private Instant steppedAt = Instant.MAX;

  private Surroundings(
      @Nullable PostgresServer standby, @Nullable Path ballast, @Nullable Path clock) {
    this.standby = standby;
    this.ballast = ballast;
    this.clock = clock;
  }

  /** Nothing that a fault can reach. */
  public static Surroundings untouched() {
    return new Surroundings(null, null, null);
  }

  static Surroundings withStandby(PostgresServer standby) {
    return new Surroundings(standby, null, null);
  }

  /** A small disk, which the file {@code ballast} can fill. */
  static Surroundings withSmallDisk(Path ballast) {
    return new Surroundings(null, ballast, null);
  }

  /** A clock, whose step stands in the file {@code clock}. */
  static Surroundings withClock(Path clock) {
    return new Surroundings(null, null, clock);
  }

  private static <T> T there(@Nullable T thing) {
    if (thing == null) {
      throw new IllegalStateException("the fault needs another setup");
    }
    return thing;
  }

  void promoteStandby(Cluster cluster) {
    PostgresServer next = there(standby);
    cluster.postgres().stop(PostgresServer.Stop.IMMEDIATE);
    next.promote();
    cluster.moveTo(next);
  }

  void fillDisk() {
    var block = new byte[64 * 1024];
    try (OutputStream out = Files.newOutputStream(there(ballast))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      return;
    }
  }

  void clearDisk() throws IOException {
    Files.delete(there(ballast));
  }

  void stepClock(Duration step) {
    clockStep = step;
    steppedAt = Instant.now();
    setClock(there(clock), step);
  }

  static void setClock(Path file, Duration step) {
    try {
      /* Renamed into place: a process that reads half a file would have another time. */
      Path next = file.resolveSibling("next-clock");
      Files.writeString(next, "%+d\n".formatted(step.toSeconds()));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return how far the database's clock is ahead of ours. */
  Duration clockAhead() {
    return clockStep;
  }

  /** Return until when, at {@code now}, the database's clock has come on its way. */
  Instant cameTo(Instant now) {
    return clockStep.isNegative() && steppedAt.isBefore(now) ? steppedAt : now.plus(clockStep);
  }
}
