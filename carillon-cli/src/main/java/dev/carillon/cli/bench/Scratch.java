package dev.carillon.cli.bench;

import dev.carillon.bench.BenchException;
import dev.carillon.bench.MeasuredDatabase;
import dev.carillon.bench.Sql;
import dev.carillon.server.ConnectionPool;
import dev.carillon.server.DatabaseUrl;
import dev.carillon.server.StartException;
import java.time.Duration;

/**
 * A database that exists for one measurement.
 *
 * <p>One connection stays open from first to last: what has none was left by a bench that died.
 */
final class Scratch implements MeasuredDatabase, AutoCloseable {
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(5);

  private final DatabaseUrl url;
  private final ConnectionPool watch;

  private Scratch(DatabaseUrl url, ConnectionPool watch) {
    this.url = url;
    this.watch = watch;
  }

  static Scratch open(DatabaseUrl url) {
    try {
      return new Scratch(url, ConnectionPool.open(url));
    } catch (StartException e) {
      throw new BenchException(
          "%s; bench had just created that database: if a pooler is in between, name the server itself"
              .formatted(e.getMessage()),
          e);
    }
  }

  ConnectionPool pool() {
    return ConnectionPool.open(url);
  }

  @Override
  public Sql sql() {
    return Sql.on(watch.connections());
  }

  @Override
  public Duration silenceTimeout() {
    return SILENCE_TIMEOUT;
  }

  String name() {
    return url.database();
  }

  @Override
  public void close() {
    watch.close();
  }
}
