package dev.carillon.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.cluster.Chaos.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes, real signals and a real database that goes away.
 *
 * <p>{@code -Dcluster.trials=} sets how many trials, {@code -Dcluster.seed=} draws the same chaos
 * again.
 */
class ClusterIT {
  private static final int TRIALS = Integer.getInteger("cluster.trials", 4);
  private static final long SEED =
      Long.getLong("cluster.seed", RandomGenerator.getDefault().nextInt(1_000_000));
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir static Path data;
  private static RestartablePostgres postgres;
  private static Path logs;

  @BeforeAll
  static void start() throws Exception {
    postgres = RestartablePostgres.in(data);
    logs = Files.createDirectories(Path.of("target", "cluster"));
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @Test
  void whatever_is_killed_frozen_or_restarted_every_promise_holds() throws Exception {
    try (var cluster = new Cluster("chaos", postgres, logs, 64).start(3);
        Carillon door = door(cluster)) {
      for (int number = 0; number < TRIALS; number++) {
        trial(cluster, door, number);
      }
    }
  }

  private static void trial(Cluster cluster, Carillon door, int number) throws Exception {
    Instant begin = cluster.now();
    var trial = new Trial(cluster, postgres, door, "t" + number + ".");
    String replay = "replay with -Dcluster.seed=" + SEED + ", trial " + number;
    try {
      trial.run(Chaos.of(SEED, number));
    } catch (Exception | AssertionError e) {
      throw new AssertionError(e.getMessage() + "; " + replay, e);
    }
    var audit = new ClusterAudit(trial, cluster);
    List<String> complaints = audit.complaints();
    System.out.printf(
        "trial %d: %d kills, %d freezes, %d restarts, %d blackouts; %d runs audited, %d taken over, %d fenced, in %d ms (seed %d)%n",
        number,
        trial.count(Kind.KILL),
        trial.count(Kind.FREEZE),
        trial.count(Kind.RESTART),
        trial.count(Kind.BLACKOUT),
        audit.runs(),
        audit.takenOver(),
        count(cluster, "effect where ending = 'FENCED'"),
        Duration.between(begin, cluster.now()).toMillis(),
        SEED);
    assertThat(complaints).as(replay).isEmpty();
    cluster.forget();
  }

  @Test
  void a_node_that_was_frozen_hears_that_nothing_it_does_counts() throws Exception {
    try (var cluster = new Cluster("frozen", postgres, logs, 4).start(2);
        Carillon door = door(cluster)) {
      cluster.awaitAllJoined();
      door.runs().enqueueAll(work(1, Habit.quick(20).slow(60_000, 1)));
      Cluster.await("it to start", () -> count(cluster, "effect") == 1);
      UUID first = UUID.fromString(cluster.psql().rows("select node from effect").get(0));
      NodeProcess frozen = cluster.find(first).orElseThrow();

      frozen.freeze();
      Cluster.await("the other node to do it", () -> done(cluster) == 1);
      List<String> history = cluster.psql().rows("select * from carillon.history");
      frozen.thaw();

      Cluster.await("it to hear", () -> count(cluster, "effect where ending = 'FENCED'") == 1);
      cluster.awaitAllJoined();
      assertThat(cluster.psql().rows("select * from carillon.history")).isEqualTo(history);
      assertThat(
              cluster.psql().rows("select attempt, ending, node = ? from effect order by 1", first))
          .containsExactly("1 FENCED true", "2 done false");
    }
  }

  @Test
  void two_nodes_share_the_work() throws Exception {
    try (var cluster = new Cluster("shared", postgres, logs, 4).start(2);
        Carillon door = door(cluster)) {
      cluster.awaitAllJoined();

      door.runs().enqueueAll(work(60, Habit.quick(60)));

      Cluster.await("all to be done", () -> done(cluster) == 60);
      assertThat(cluster.psql().rows("select distinct node from effect")).hasSize(2);
      assertThat(count(cluster, "effect")).isEqualTo(60);
    }
  }

  @Test
  void a_node_that_is_asked_to_end_finishes_what_runs_and_leaves_the_rest_to_others()
      throws Exception {
    try (var cluster = new Cluster("graceful", postgres, logs, 4).start(1);
        Carillon door = door(cluster)) {
      cluster.awaitAllJoined();
      door.runs().enqueueAll(work(30, Habit.quick(300)));
      Cluster.await("some to run", () -> done(cluster) >= 4);

      assertThat(cluster.nodes().get(0).terminate(SOON)).as("ended in time").isTrue();

      var psql = cluster.psql();
      assertThat(psql.rows("select from carillon.node where lease_until > clock_timestamp()"))
          .isEmpty();
      assertThat(psql.rows("select from effect where ending is distinct from 'done'")).isEmpty();
      assertThat(
              psql.rows(
                  """
                  select state, attempt
                    from carillon.run
                   where state <> 'pending'
                      or attempt <> 0
                      or wake_at > clock_timestamp()
                  """))
          .isEmpty();
      assertThat(psql.rows("select from carillon.run")).isNotEmpty();
      cluster.start(1);
      Cluster.await("all to be done", () -> done(cluster) == 30);
      assertThat(count(cluster, "effect")).isEqualTo(30);
      assertThat(count(cluster, "carillon.history where attempt <> 1")).isZero();
    }
  }

  @Test
  void the_duty_of_a_leader_passes_on_when_it_dies() throws Exception {
    try (var cluster = new Cluster("duty", postgres, logs, 4).start(2)) {
      cluster.awaitAllJoined();
      Cluster.await("a leader", () -> leader(cluster).size() == 1);
      UUID first = UUID.fromString(leader(cluster).get(0));

      cluster.kill(cluster.find(first).orElseThrow());

      UUID other = cluster.nodes().get(0).id().orElseThrow();
      Cluster.await("another leader", () -> leader(cluster).contains(other.toString()));
      assertThat(cluster.psql().rows("select epoch from carillon.leader")).containsExactly("2");
    }
  }

  private static List<String> leader(Cluster cluster) {
    return cluster.psql().rows("select node_id from carillon.leader");
  }

  private static int done(Cluster cluster) {
    return count(cluster, "carillon.history where state = 'succeeded'");
  }

  private static int count(Cluster cluster, String what) {
    return Integer.parseInt(cluster.psql().rows("select count(*) from " + what).get(0));
  }

  private static List<RunDraft> work(int count, Habit habit) {
    return Collections.nCopies(count, RunDraft.of(Work.LABEL).payload(habit.payload()));
  }

  /** Return a scheduler that is not started: it defines and asks, and others do the work. */
  private static Carillon door(Cluster cluster) {
    return Carillon.builder()
        .dataSource(cluster.source())
        .remoteTarget(Work.LABEL)
        .remoteTarget(Ledger.LABEL)
        .build();
  }
}
