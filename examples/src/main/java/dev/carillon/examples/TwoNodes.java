package dev.carillon.examples;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.model.NodeInfo;
import dev.carillon.postgres.LocalPostgres;
import dev.carillon.target.Handler;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** Two nodes on one database share the work; when one of them is closed, the other goes on. */
public final class TwoNodes {
  private TwoNodes() {}

  /**
   * Who did what.
   *
   * @param shared the nodes that ran the first two runs, which were at work at the same time
   * @param left the nodes of the cluster after one was closed
   * @param alone the nodes that ran the runs after that
   */
  record Work(List<String> shared, List<String> left, List<String> alone) {}

  public static void main(String[] args) throws Exception {
    try (var postgres = LocalPostgres.temporary();
        var pool = Pool.of(postgres)) {
      Work work = run(pool);
      System.out.println("together   " + work.shared());
      System.out.println("still here " + work.left());
      System.out.println("alone      " + work.alone());
    }
  }

  static Work run(DataSource database) throws Exception {
    var ranOn = new CopyOnWriteArrayList<String>();
    var bothAtWork = new CountDownLatch(2);
    var finished = new Finished();
    try (var south = node("south", database, ranOn, bothAtWork, finished)) {
      try (var north = node("north", database, ranOn, bothAtWork, finished)) {
        north.runs().enqueueAll(Collections.nCopies(2, RunDraft.of("carry")));
        finished.next();
        finished.next();
      }
      List<String> shared = List.copyOf(ranOn);
      ranOn.clear();

      south.runs().enqueueAll(Collections.nCopies(3, RunDraft.of("carry")));
      for (int i = 0; i < 3; i++) {
        finished.next();
      }
      return new Work(
          shared, south.nodes().stream().map(NodeInfo::name).toList(), List.copyOf(ranOn));
    }
  }

  private static Carillon node(
      String name,
      DataSource database,
      List<String> ranOn,
      CountDownLatch bothAtWork,
      Finished finished) {
    Handler carry =
        run -> {
          ranOn.add(name);
          bothAtWork.countDown();
          bothAtWork.await();
        };
    return Carillon.builder()
        .dataSource(database)
        .nodeName(name)
        .target("carry", carry, 1)
        .listener(finished)
        .build()
        .start();
  }
}
