package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Sql;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Where the nodes of a cluster wait for one another, in the database they share. */
record Barrier(Sql sql, UUID node) {
  private static final long MAX_WAIT_SECONDS = 600;

  /** Create the tables for {@code nodes}; the node that {@link #isFirst} prepares the work. */
  static void create(Sql sql, int nodes) {
    sql.run("create table public.cluster (nodes integer not null)");
    sql.run("insert into public.cluster values (?)", nodes);
    sql.run("create table public.reached (step text, node uuid, primary key (step, node))");
    sql.run(
        "create table public.counted (step text, node uuid, done bigint, primary key (step, node))");
    sql.run("create table public.first (one boolean primary key, node uuid)");
  }

  /** Return how many nodes there are. */
  int nodes() {
    return (int) sql.number("select nodes from public.cluster");
  }

  /** Say whether this node was here before the others. */
  boolean isFirst() {
    sql.run("insert into public.first values (true, ?) on conflict do nothing", node);
    return sql.number("select count(*) from public.first where node = ?", node) == 1;
  }

  /** Store how much of {@code step} is done here, and return how much is done in all. */
  long count(String step, long done) {
    sql.run(
        """
        insert into public.counted values (?, ?, ?)
            on conflict (step, node) do update
               set done = excluded.done
        """,
        step,
        node,
        done);
    return (long) sql.number("select sum(done) from public.counted where step = ?", step);
  }

  /** Wait until all nodes have reached {@code step}. */
  void await(String step) throws InterruptedException {
    sql.run("insert into public.reached values (?, ?)", step, node);
    String missing =
        """
        select (select nodes from public.cluster) - count(*)
          from public.reached
         where step = ?
        """;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
    while (sql.number(missing, step) > 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not all nodes reached " + step);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
