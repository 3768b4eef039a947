package dev.carillon.benchmarks.measure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.Contenders;
import dev.carillon.bench.MeasuredDatabase;
import dev.carillon.bench.Sql;
import dev.carillon.benchmarks.contender.Entrant;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The database of one measurement: its address, its pools and its counters. */
public final class Database implements MeasuredDatabase {
  private static final Duration SILENCE_TIMEOUT = Duration.ofMinutes(10);
  private static final int POOL = 20;

  private final String url;
  private final String user;
  private final String password;

  Database(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  String user() {
    return user;
  }

  String password() {
    return password;
  }

  String url() {
    return url;
  }

  /** Open a pool and wait until it is full, so that connecting is not measured. */
  HikariDataSource pool() throws InterruptedException {
    HikariDataSource pool = openPool(POOL);
    while (pool.getHikariPoolMXBean().getTotalConnections() < POOL) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return pool;
  }

  /** Open a pool of the usual size that fills itself meanwhile. */
  HikariDataSource openPool() {
    return openPool(POOL);
  }

  /** Open a pool of {@code connections} that fills itself meanwhile. */
  HikariDataSource openPool(int connections) {
    var config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  /** Return access without a pool. */
  @Override
  public Sql sql() {
    return new Sql(() -> DriverManager.getConnection(url, user, password));
  }

  @Override
  public Duration silenceTimeout() {
    return SILENCE_TIMEOUT;
  }

  @Override
  public void settle() throws InterruptedException {
    MeasuredDatabase.super.settle();
    sql().run("checkpoint");
  }

  /** Return how {@code entrant} is opened here, with a pool that is full. */
  Contenders contenders(Entrant entrant) {
    return listener -> {
      HikariDataSource pool = pool();
      return new Contenders.Opened(entrant.open(pool), pool::close);
    };
  }

  /** Read every page of Carillon's tables and indexes once, so that none has to come from disk. */
  void warmUp() {
    sql().run("create extension if not exists pg_prewarm");
    sql()
        .run(
            """
            select sum(pg_prewarm(oid::regclass, 'read'))
              from pg_class
             where relnamespace = 'carillon'::regnamespace
               and relkind in ('r', 'i')
            """);
  }

  /** Count the statements of sessions opened from now on. Counting costs a little. */
  void countStatements() {
    sql().run("create extension if not exists pg_stat_statements");
    sql().run("select pg_stat_statements_reset()");
    setForNewSessions("compute_query_id = on");
  }

  /** Stop counting, and return how many there were, without begins and commits. */
  double statements() {
    setForNewSessions("compute_query_id = off");
    return sql()
        .number(
            """
            select coalesce(sum(calls), 0)
              from pg_stat_statements
             where dbid = (select oid from pg_database where datname = current_database())
            """);
  }

  private void setForNewSessions(String setting) {
    sql()
        .run(
            "do $$ begin execute format('alter database %I set "
                + setting
                + "', current_database()); end $$");
  }
}
