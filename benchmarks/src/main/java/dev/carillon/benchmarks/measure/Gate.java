package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Sql;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Where the nodes of a cluster wait for one another, in the database they share. */
record Gate(Sql sql, UUID node) {
  private static final long MAX_WAIT_SECONDS = 600;

  /** Build the gate for so many nodes; the first of {@link #isFirst} prepares their work. */
  static void build(Sql sql, int nodes) {
    sql.run("create table public.cluster (nodes integer not null)");
    sql.run("insert into public.cluster values (?)", nodes);
    sql.run("create table public.passing (step text, node uuid, primary key (step, node))");
    sql.run(
        "create table public.counted (step text, node uuid, done bigint, primary key (step, node))");
    sql.run("create table public.first (one boolean primary key, node uuid)");
  }

  /** Return how many nodes the gate was built for. */
  int nodes() {
    return (int) sql.number("select nodes from public.cluster");
  }

  /** Tell whether this node came here before the others. */
  boolean isFirst() {
    sql.run("insert into public.first values (true, ?) on conflict do nothing", node);
    return sql.number("select count(*) from public.first where node = ?", node) == 1;
  }

  /** Tell the others how much of {@code step} is done here, and return how much is in all. */
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

  /** Wait until all nodes have come as far as {@code step}. */
  void pass(String step) throws InterruptedException {
    sql.run("insert into public.passing values (?, ?)", step, node);
    String missing =
        """
        select (select nodes from public.cluster) - count(*)
          from public.passing
         where step = ?
        """;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
    while (sql.number(missing, step) > 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not all nodes came to " + step);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
