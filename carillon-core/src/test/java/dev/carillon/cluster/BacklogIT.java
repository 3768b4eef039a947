package dev.carillon.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.cluster.Bell.Ring;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes in processes of their own behind a backlog so long that each holds thousands of runs. */
class BacklogIT {
  private static final int RUNS = 45_000;
  private static final int NODES = 3;

  @TempDir Path data;

  @Test
  void a_node_that_dies_in_a_long_backlog_leaves_it_to_the_others() throws Exception {
    Path logs = Files.createDirectories(Path.of("target", "cluster"));
    try (var postgres = RestartablePostgres.in(data);
        var cluster = new Cluster("backlog", postgres, logs, 64).start(NODES);
        Carillon door = door(cluster)) {
      cluster.awaitAllJoined();
      for (int i = 0; i < NODES; i++) {
        door.runs().enqueueAll(Collections.nCopies(RUNS / NODES, RunDraft.of(Bell.LABEL)));
      }
      Cluster.await("two thirds of it", () -> done(cluster) > RUNS * 2 / 3);
      NodeProcess dead = cluster.nodes().get(0);
      cluster.kill(dead);
      door.runs().enqueue(RunDraft.of(Work.LABEL).payload(Habit.quick(1).payload()));
      Cluster.await("the rest", () -> done(cluster) == RUNS + 1);

      List<Ring> gone = Bell.rings(dead.log());
      var lasting = new ArrayList<Ring>();
      for (NodeProcess node : cluster.nodes()) {
        assertThat(Bell.rings(node.log())).as("a share").isNotEmpty();
        lasting.addAll(Bell.rings(node.log()));
      }
      Set<String> keys = keys(lasting);
      assertThat(keys).as("done once by those who live").hasSameSizeAs(lasting);
      Set<Ring> all = new HashSet<>(lasting);
      all.addAll(gone);
      assertThat(all).as("attempts begun once").hasSize(lasting.size() + gone.size());
      keys.addAll(keys(gone));
      assertThat(keys).as("done at all").hasSize(RUNS);
      assertThat(
              cluster
                  .psql()
                  .rows(
                      """
                      select count(*) filter (where target = 'work')
                        from carillon.history
                       where finished_at < (select max(finished_at) from carillon.history)
                      """))
          .as("not behind the backlog")
          .containsExactly("1");
    }
  }

  private static Set<String> keys(List<Ring> rings) {
    return rings.stream().map(Ring::key).collect(Collectors.toCollection(HashSet::new));
  }

  private static int done(Cluster cluster) {
    return Integer.parseInt(
        cluster
            .psql()
            .rows("select count(*) from carillon.history where state = 'succeeded'")
            .get(0));
  }

  private static Carillon door(Cluster cluster) {
    return Carillon.builder()
        .dataSource(cluster.source())
        .remoteTarget(Bell.LABEL)
        .remoteTarget(Work.LABEL)
        .build();
  }
}
