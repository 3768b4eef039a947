package dev.carillon.benchmarks.contender;

import dev.carillon.bench.Contender;
import dev.carillon.bench.Sql;
import dev.carillon.bench.StartListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import javax.sql.DataSource;

/**
 * The least SQL a perfect scheduler needs, in a loop without a scheduler: batches of a thousand on
 * two connections. It has no recurring schedules.
 *
 * <p>It claims runs that are due, starts and completes them, and they stay to be looked up: what no
 * scheduler can do without. It has no policies, no lease, no fence, no lists and no history that
 * could be dropped, and it would forget what it had claimed in a crash.
 */
final class RawContender implements Contender {
  private static final int BATCH = 1_000;
  private static final int CONNECTIONS = 2;

  private final DataSource database;
  private final RawWork work;
  private final ExecutorService workers = Executors.newFixedThreadPool(CONNECTIONS);

  RawContender(DataSource database, RawWork work) {
    this.database = database;
    this.work = work;
  }

  @Override
  public void install() {
    Sql.on(database).run(RawWork.TABLES);
  }

  @Override
  public void addIdle(int count, IntConsumer added) {
    work.add(Sql.on(database), count, Instant.now().plusSeconds(365 * 86_400).toEpochMilli());
  }

  @Override
  public void addDue(int count, IntConsumer added) {
    work.add(Sql.on(database), count, Instant.now().toEpochMilli());
  }

  @Override
  public void addEverySecond(int count, Instant first) {
    throw new UnsupportedOperationException("the raw limit has no schedules");
  }

  @Override
  public void start(StartListener startListener) {
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      workers.execute(() -> work(startListener));
    }
    workers.shutdown();
  }

  private void work(StartListener startListener) {
    try (Connection connection = database.getConnection();
        var plans = connection.createStatement()) {
      connection.setAutoCommit(false);
      // An empty table would be planned with a scan, and stay so when it has grown.
      plans.execute("set enable_seqscan = off; set enable_hashjoin = off");
      plans.execute("set enable_mergejoin = off; set enable_bitmapscan = off");
      RawBatch batch = work.start(connection);
      do {
        batch = work.claim(connection, batch, BATCH);
        connection.commit();
        batch.reportStarts(startListener);
        batch.complete(connection);
        connection.commit();
      } while (!batch.isEmpty());
      plans.execute("reset all");
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("the raw limit failed", e);
    }
  }

  /* Once started, it asks its workers, not the database: they end when they find no more runs. */
  @Override
  public long unfinished() {
    if (workers.isShutdown()) {
      return workers.isTerminated() ? 0 : 1;
    }
    long now = Instant.now().toEpochMilli();
    return (long) Sql.on(database).number(RawWork.LEFT, now, now);
  }

  @Override
  public void close() {
    workers.shutdown();
    try {
      workers.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
