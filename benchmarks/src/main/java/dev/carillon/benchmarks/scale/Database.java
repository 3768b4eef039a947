package dev.carillon.benchmarks.scale;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.util.concurrent.TimeUnit;

/** The database of one measurement: where it is, and what it has cost so far. */
final class Database {
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

  /** Open a pool of so many connections that fills itself meanwhile. */
  HikariDataSource openPool(int connections) {
    var config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  /** Return access without a pool. */
  Sql sql() {
    return new Sql(() -> DriverManager.getConnection(url, user, password));
  }

  /** Tidy up after the preparations, so that no measurement pays for them. */
  void settle() throws InterruptedException {
    awaitSilence();
    sql().run("vacuum (analyze)");
    sql().run("checkpoint");
    System.gc();
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

  /** Wait for the end of all sessions: only then are their commits counted. */
  void awaitSilence() throws InterruptedException {
    String others =
        """
        select count(*)
          from pg_stat_activity
         where datname = current_database()
           and backend_type = 'client backend'
           and pid <> pg_backend_pid()
        """;
    while (sql().number(others) > 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Return the transactions committed here so far; of open sessions, not the latest. */
  double commits() {
    return sql()
        .number("select xact_commit from pg_stat_database where datname = current_database()");
  }

  /** Return the bytes of WAL the server has written so far. */
  double walBytes() {
    return sql().number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  /** Count the statements of sessions opened from now on. Counting costs a little. */
  void countStatements() {
    sql().run("create extension if not exists pg_stat_statements");
    sql().run("select pg_stat_statements_reset()");
    setForNewSessions("compute_query_id = on");
  }

  /**
   * Stop counting, and return how many there were; beginnings and ends of transactions are none.
   */
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
